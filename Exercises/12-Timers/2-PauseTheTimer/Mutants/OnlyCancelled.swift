// Looks right: pauses are balanced, and a timer that has ended is cancelled. Wrong: one that is paused stays
// suspended, so its cancel handler never comes, and it must not be released.

extension Autosaver {
  // region end
  /// No save begins after it, but for one that is under way.
  func end() {
    state.withLock { state in
      if state == .ended { return }
      state = .ended
      timer.cancel()
    }
  }
  // endregion
}
