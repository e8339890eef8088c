import Dispatch

extension QueuedInside {
  // Sendable because `number` is used on the main queue only.
  final class Badge: @unchecked Sendable {
    private var number = 0

    /// Adds to the number and returns it; from any queue, so it says.
    func add(_ count: Int) -> Int {
      DispatchQueue.main.sync {
        number += count
        return number
      }
    }
  }
}
