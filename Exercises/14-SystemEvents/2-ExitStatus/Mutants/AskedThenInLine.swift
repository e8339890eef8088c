// Looks right: it looks for the status, and gets into the line if there is none. Wrong: the child may exit between the
// two, and then nobody resumes it.

extension Child {
  // region status
  /// Waits until the child exits.
  func exitStatus() async throws -> Int32 {
    let (number, status) = state.withLock { state in
      state.lastNumber += 1
      return (state.lastNumber, state.status)
    }
    if let status { return status }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        state.withLock { state in
          if Task.isCancelled {
            waiter.resume(throwing: CancellationError())
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
