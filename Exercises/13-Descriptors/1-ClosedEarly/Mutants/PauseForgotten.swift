// Looks right: the source is cancelled, and its cancel handler closes. Wrong: a source that is paused calls no handler,
// so the descriptor stays open.

extension Connection {
  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    state.withLock { state in
      guard state != .stopped else { return }
      state = .stopped
      source.cancel()
    }
  }
  // endregion
}
