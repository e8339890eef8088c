// Looks right: the handler resumes the continuation. Wrong: it may come before there is one.

extension Reply {
  // region wait
  /// The task waits from now on.
  func wait(_ continuation: CheckedContinuation<String, any Error>) {
    state.withLock { $0.continuation = continuation }
  }
  // endregion
}
