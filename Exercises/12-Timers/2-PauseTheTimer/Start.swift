extension Autosaver {
  // region state
  // endregion

  // region deinit
  deinit { timer.cancel() }
  // endregion

  // region pause
  // TODO: Suspend and resume in balance, whoever calls what and when, and let the timer end in a pause, too.
  /// No save begins after it, but for one that is under way.
  func pause() { timer.suspend() }
  // endregion

  // region resume
  /// Makes up for what was missed in the pause, by one save.
  func resume() { timer.resume() }
  // endregion

  // region end
  /// No save begins after it, but for one that is under way.
  func end() { timer.cancel() }
  // endregion
}
