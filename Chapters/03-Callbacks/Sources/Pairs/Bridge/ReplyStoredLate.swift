import Synchronization

extension StoredLate {
  /// Its handler finds no waiter if the task is cancelled first, and the waiter is stored all the same.
  final class Reply<Value: Sendable>: Sendable {
    typealias Waiter = CheckedContinuation<Value, any Error>

    private struct State {
      var result: Result<Value, any Error>?
      var waiter: Waiter?
    }

    private let state = Mutex(State())

    @Sendable func take(_ result: Result<Value, any Error>) {
      let waiter = state.withLock { state in
        guard state.result == nil else { return Waiter?.none }
        state.result = result
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(with: result)
    }

    var value: Value {
      get async throws {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { waiter in
            let early = state.withLock { state in
              if state.result == nil { state.waiter = waiter }
              return state.result
            }
            if let early { waiter.resume(with: early) }
          }
        } onCancel: {
          let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
          }
          waiter?.resume(throwing: CancellationError())
        }
      }
    }
  }
}
