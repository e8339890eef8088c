import Synchronization

extension Mutexed {
  final class Once: Sendable {
    private let isDone = Mutex(false)

    func run(_ body: () -> Void) {
      isDone.withLock { isDone in
        if isDone { return }
        body()
        isDone = true
      }
    }
  }
}
