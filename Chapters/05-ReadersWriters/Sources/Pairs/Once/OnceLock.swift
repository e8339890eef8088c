import Foundation

extension Locked {
  /// What `dispatch_once` did, by a lock and a flag: callers that come in the meantime wait until the work is done.
  // Sendable because `isDone` is used under `lock` only.
  final class Once: @unchecked Sendable {
    private let lock = NSLock()
    private var isDone = false

    func run(_ body: () -> Void) {
      lock.withLock {
        if isDone { return }
        body()
        isDone = true
      }
    }
  }
}
