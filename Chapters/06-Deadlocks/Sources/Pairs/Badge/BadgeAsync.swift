extension Isolated {
  @MainActor final class Badge {
    private var number = 0

    /// Adds to the number and returns it.
    func add(_ count: Int) -> Int {
      number += count
      return number
    }
  }
}
