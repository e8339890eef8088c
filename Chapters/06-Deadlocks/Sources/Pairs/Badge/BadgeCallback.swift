import Dispatch

extension Queued {
  // Sendable because `number` is used on the main queue only.
  final class Badge: @unchecked Sendable {
    private var number = 0

    /// Adds to the number and hands it over, on the main queue, later.
    func add(_ count: Int, then completion: @escaping @Sendable (Int) -> Void) {
      DispatchQueue.main.async {
        self.number += count
        completion(self.number)
      }
    }
  }
}
