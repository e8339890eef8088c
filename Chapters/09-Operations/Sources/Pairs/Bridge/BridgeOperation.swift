import Synchronization

extension Concurrent {
  /// An async function as an operation, for queues and dependents that are not ported yet.
  final class AsyncOperation: ConcurrentOperation, @unchecked Sendable {
    // Sendable: its own state is in a lock.
    private let work: @Sendable () async -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

    override func main() {
      let task = Task {
        await work()
        finish()
      }
      self.task.withLock { $0 = task }
      // One who cancelled before the task was there could not cancel it.
      if isCancelled { task.cancel() }
    }

    override func cancel() {
      super.cancel()
      task.withLock(\.self)?.cancel()
    }
  }
}
