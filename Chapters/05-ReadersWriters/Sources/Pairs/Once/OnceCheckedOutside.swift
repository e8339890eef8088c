import Foundation

extension CheckedOutside {
  // Sendable is false on purpose: the first look at `isDone` is ordered by nothing. It runs under the explorer only.
  final class Once: @unchecked Sendable {
    private let lock = NSLock()
    private var isDone = false

    /// Double-checked locking: the first look saves the lock, and with it what the lock would order.
    func run(_ body: () -> Void) {
      if isDone { return }
      lock.withLock {
        if isDone { return }
        body()
        isDone = true
      }
    }
  }
}
