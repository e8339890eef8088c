import Synchronization

extension Async {
  /// An answer that comes by a completion handler, once, and that any number of tasks may wait for.
  final class Reply<Value: Sendable>: Sendable {
    typealias Waiter = CheckedContinuation<Value, any Error>

    private struct State {
      var result: Result<Value, any Error>?
      var waiters: [Int: Waiter] = [:]
      var nextID = 0
    }

    private let state = Mutex(State())

    /// Gives the answer to the tasks that wait for it, and to those to come. The first result counts.
    @Sendable func take(_ result: Result<Value, any Error>) {
      let waiters = state.withLock { state in
        guard state.result == nil else { return [Waiter]() }
        state.result = result
        defer { state.waiters = [:] }
        return Array(state.waiters.values)
      }
      for waiter in waiters { waiter.resume(with: result) }
    }

    /// Waits for the answer.
    ///
    /// - Throws: The error in place of the answer, or a `CancellationError` if the task is cancelled before the answer is
    ///   there.
    var value: Value {
      get async throws {
        let id = state.withLock { state in
          state.nextID += 1
          return state.nextID
        }
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { waiter in
            let early = state.withLock { state -> Result<Value, any Error>? in
              if let result = state.result { return result }
              // The flag is set before the handler runs. So either it is set here, or the handler comes later and finds
              // the waiter.
              if Task.isCancelled { return .failure(CancellationError()) }
              state.waiters[id] = waiter
              return nil
            }
            if let early { waiter.resume(with: early) }
          }
        } onCancel: {
          let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
          waiter?.resume(throwing: CancellationError())
        }
      }
    }
  }
}
