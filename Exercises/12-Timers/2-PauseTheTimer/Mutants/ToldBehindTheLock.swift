// Looks right: the state is guarded, and the lock is not held while the timer is told. Wrong: two threads may tell
// it in the other order, so it is resumed before it is suspended.

extension Autosaver {
  // region pause
  /// No save begins after it, but for one that is under way.
  func pause() {
    let isFirst = state.withLock { state in
      guard state == .running else { return false }
      state = .paused
      return true
    }
    if isFirst { timer.suspend() }
  }
  // endregion

  // region resume
  /// Makes up for what was missed in the pause, by one save.
  func resume() {
    let isPaused = state.withLock { state in
      guard state == .paused else { return false }
      state = .running
      return true
    }
    if isPaused { timer.resume() }
  }
  // endregion
}
