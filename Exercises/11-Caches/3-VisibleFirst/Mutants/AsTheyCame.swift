// Looks right: a visible one is put before those that are not. Wrong: it is so as it comes, and nobody looks again.

extension DownloadGate {
  // region state
  private struct State {
    var free: Int
    var line: [(id: Int, wish: Wish, continuation: Continuation)] = []
    var lastID = 0

    mutating func take() -> Continuation? {
      guard !line.isEmpty else {
        free += 1
        return nil
      }
      return line.removeFirst().continuation
    }
  }
  // endregion

  // region wait
  private func wait(_ wish: Wish) async throws {
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
          let place = wish.isVisible ? state.line.firstIndex { !$0.wish.isVisible } : nil
          state.line.insert((id, wish, continuation), at: place ?? state.line.endIndex)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
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
