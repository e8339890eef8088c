// Looks right: the cancellation is noted, and then it is the result. Wrong: the request may be cancelled in between, and
// what the desk says to that is the result.

extension Reply {
  // region cancel
  func cancel() {
    let cancelRequest = state.withLock { state in
      state.isCancelled = true
      return state.cancelRequest
    }
    end(with: .failure(CancellationError()))
    cancelRequest?()
  }
  // endregion
}
