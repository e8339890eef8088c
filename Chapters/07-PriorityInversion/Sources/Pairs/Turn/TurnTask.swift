import Synchronization

extension Chained {
  /// Lets one section run at a time, in the order in which they came: each is a task that awaits the one before.
  ///
  /// Who waits for the last one raises it, and through it all that are ahead.
  final class Turn: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)
    private let executor: (any TaskExecutor)?

    convenience init() { self.init(on: nil) }

    /// - Parameter executor: Where the sections run, if not on the global pool.
    init(on executor: (any TaskExecutor)?) {
      self.executor = executor
    }

    func take(_ section: @escaping @Sendable () async -> Void) async {
      let task = last.withLock { last in
        let previous = last
        let task = Task(executorPreference: executor) {
          await previous?.value
          await section()
        }
        last = task
        return task
      }
      await task.value
    }
  }
}
