// Looks right: the task goes on at once. Wrong: the request does, too.

extension Reply {
  // region cancel
  func cancel() {
    let continuation = state.withLock { state in
      state.isCancelled = true
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
  // endregion
}
