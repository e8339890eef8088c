// Looks right: nobody comes between the look and the call. Wrong: whoever cancels the task may hold what the call needs,
// and want the lock.

extension Reply {
  // region end
  /// The first result counts.
  func end(with result: Result<String, any Error>) {
    state.withLock { state in
      state.continuation?.resume(with: result)
      state.continuation = nil
    }
  }
  // endregion
}
