import Synchronization

/// Lets one visit take place at a time, in the order in which they came. A visit may await.
///
/// The check uses `init(on:)` and `enter(_:)`.
final class Door: Sendable {
  private let executor: (any TaskExecutor)?
  private let state = Mutex((isTaken: false, waiting: [CheckedContinuation<Void, Never>]()))

  /// - Parameter executor: Where the visits run, if not on the global pool.
  init(on executor: (any TaskExecutor)? = nil) {
    self.executor = executor
  }

  // TODO: Let whoever waits raise whoever is inside, and all who are ahead.
  /// Returns when the visit is over.
  func enter(_ visit: @escaping @Sendable () async -> Void) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
    await withTaskExecutorPreference(executor) { await visit() }
    let next = state.withLock { state in
      if state.waiting.isEmpty { state.isTaken = false }
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }
}
