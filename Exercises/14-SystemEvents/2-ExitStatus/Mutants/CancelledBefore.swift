// Looks right: it asks whether it is cancelled, and the handler takes it out of the line later. Wrong: cancelled in
// between, it is not in the line yet, and gets there when the handler has been called.

extension Child {
  // region status
  /// Waits until the child exits.
  func exitStatus() async throws -> Int32 {
    try Task.checkCancellation()
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        state.withLock { state in
          if let status = state.status {
            waiter.resume(returning: status)
          } else {
            state.waiters[number] = waiter
          }
        }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }
  // endregion
}
