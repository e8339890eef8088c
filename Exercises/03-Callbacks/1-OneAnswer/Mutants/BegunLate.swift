// Looks right: a request that is there is cancelled. Wrong: it may begin after the cancellation.

extension Reply {
  // region begun
  /// The request has begun.
  func begun(_ cancelRequest: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancelRequest = cancelRequest }
  }
  // endregion
}
