import Synchronization

extension ResumedInside {
  /// Its waiter is resumed under the lock. To resume a task, the runtime takes the lock of its status, which a thread
  /// that cancels the task holds while the handler runs.
  final class Reply<Value: Sendable>: Sendable {
    private struct State {
      var result: Result<Value, any Error>?
      var waiter: CheckedContinuation<Value, any Error>?

      mutating func resume(with result: Result<Value, any Error>) {
        waiter?.resume(with: result)
        waiter = nil
      }
    }

    private let state = Mutex(State())

    @Sendable func take(_ result: Result<Value, any Error>) {
      state.withLock { state in
        guard state.result == nil else { return }
        state.result = result
        state.resume(with: result)
      }
    }

    var value: Value {
      get async throws {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { waiter in
            state.withLock { state in
              state.waiter = waiter
              if let result = state.result {
                state.resume(with: result)
              } else if Task.isCancelled {
                state.resume(with: .failure(CancellationError()))
              }
            }
          }
        } onCancel: {
          state.withLock { $0.resume(with: .failure(CancellationError())) }
        }
      }
    }
  }
}
