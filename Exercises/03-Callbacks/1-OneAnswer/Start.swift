extension Reply {
  // region wait
  // TODO: Let the task go on once, at once, and whatever comes first.
  /// The task waits from now on.
  func wait(_ continuation: CheckedContinuation<String, any Error>) {
    state.withLock { $0.continuation = continuation }
  }
  // endregion

  // region end
  /// The first result counts.
  func end(with result: Result<String, any Error>) {
    state.withLock { $0.continuation }?.resume(with: result)
  }
  // endregion

  // region begun
  /// The request has begun.
  func begun(_ cancelRequest: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancelRequest = cancelRequest }
  }
  // endregion
}
