import Synchronization

extension NotCleared {
  /// Its waiter stays where it is when the answer has come, and a late cancellation resumes it again.
  final class Reply<Value: Sendable>: Sendable {
    private struct State {
      var result: Result<Value, any Error>?
      var waiter: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())

    @Sendable func take(_ result: Result<Value, any Error>) {
      let waiter = state.withLock { state in
        state.result = result
        return state.waiter
      }
      waiter?.resume(with: result)
    }

    var value: Value {
      get async throws {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { waiter in
            let early = state.withLock { state -> Result<Value, any Error>? in
              if let result = state.result { return result }
              if Task.isCancelled { return .failure(CancellationError()) }
              state.waiter = waiter
              return nil
            }
            if let early { waiter.resume(with: early) }
          }
        } onCancel: {
          state.withLock(\.waiter)?.resume(throwing: CancellationError())
        }
      }
    }
  }
}
