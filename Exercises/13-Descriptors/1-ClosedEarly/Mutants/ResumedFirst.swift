// Looks right: a paused source is resumed, so that it calls its cancel handler. Wrong: what has come in the pause may be
// handed over before it is cancelled.

extension Connection {
  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    state.withLock { state in
      if state == .paused { source.resume() }
      if state != .stopped { source.cancel() }
      state = .stopped
    }
  }
  // endregion
}
