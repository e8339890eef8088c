// Looks right: a timer is resumed before it is cancelled, so it is never left suspended. Wrong: the save that was
// missed in the pause may begin in between.

extension Autosaver {
  // region end
  /// No save begins after it, but for one that is under way.
  func end() {
    state.withLock { state in
      if state == .paused { timer.resume() }
      if state != .ended { timer.cancel() }
      state = .ended
    }
  }
  // endregion
}
