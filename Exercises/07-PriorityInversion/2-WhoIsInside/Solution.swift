import Synchronization

/// Lets one visit take place at a time, in the order in which they came. A visit may await.
///
/// The check uses `init(on:)` and `enter(_:)`.
final class Door: Sendable {
  private let executor: (any TaskExecutor)?
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter executor: Where the visits run, if not on the global pool.
  init(on executor: (any TaskExecutor)? = nil) {
    self.executor = executor
  }

  // region enter
  /// Returns when the visit is over.
  func enter(_ visit: @escaping @Sendable () async -> Void) async {
    let task = last.withLock { last in
      let previous = last
      let task = Task(executorPreference: executor) {
        await previous?.value
        await visit()
      }
      last = task
      return task
    }
    await task.value
  }
  // endregion
}
