// Looks right: it looks for a cancellation before it waits, and the handler does so later. Wrong: between the two the
// handler finds nobody in line, and the task waits on.

extension UploadGate {
  // region wait
  private func wait() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try Task.checkCancellation()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isFree = state.withLock { state in
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.line.append((id, continuation))
          return false
        }
        if isFree { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.line.firstIndex { $0.id == id }.map { state.line.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
  // endregion
}
