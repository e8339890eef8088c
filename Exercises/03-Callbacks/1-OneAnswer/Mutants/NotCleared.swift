// Looks right: each result goes to the continuation. Wrong: there may be two.

extension Reply {
  // region end
  /// The first result counts.
  func end(with result: Result<String, any Error>) {
    state.withLock { $0.continuation }?.resume(with: result)
  }
  // endregion
}
