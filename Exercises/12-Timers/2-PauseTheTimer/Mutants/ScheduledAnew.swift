// Looks right: a timer that goes on is given its next time. Wrong: its saves leave their times, and the one that
// was missed is not made up for.

extension Autosaver {
  // region resume
  /// Makes up for what was missed in the pause, by one save.
  func resume() {
    state.withLock { state in
      guard state == .paused else { return }
      state = .running
      timer.schedule(deadline: .now() + .seconds(10), repeating: .seconds(10))
      timer.resume()
    }
  }
  // endregion
}
