// Looks right: a cancelled waiter is resumed at once. Wrong: it stays in the line, and a signal resumes it once more.

extension UploadGate {
  // region wait
  private func wait() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.line.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in state.line.first { $0.id == id } }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
  // endregion
}
