// Looks right: whoever waits is resumed, also when it is cancelled. Wrong: there is one place, so a second waiter takes
// that of the first one, which waits for ever.

extension Child {
  // region state
  private struct State {
    var status: Int32?
    var waiter: CheckedContinuation<Int32, any Error>?
  }

  private let state = Mutex(State())
  // endregion

  // region status
  /// Waits until the child exits.
  func exitStatus() async throws -> Int32 {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        state.withLock { state in
          if let status = state.status {
            waiter.resume(returning: status)
          } else if Task.isCancelled {
            waiter.resume(throwing: CancellationError())
          } else {
            state.waiter = waiter
          }
        }
      }
    } onCancel: {
      state.withLock { $0.waiter.take() }?.resume(throwing: CancellationError())
    }
  }
  // endregion

  // region exit
  private func exit(with status: Int32) {
    let waiter = state.withLock { state in
      state.status = status
      return state.waiter.take()
    }
    waiter?.resume(returning: status)
  }
  // endregion
}
