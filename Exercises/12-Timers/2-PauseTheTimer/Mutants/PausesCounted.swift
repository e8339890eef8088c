// Looks right: pauses and resumptions are counted, so that they are balanced. Wrong: the timer goes on only when it
// was resumed as often as it was paused.

extension Autosaver {
  // region state
  private enum State: Equatable {
    case running
    case paused(times: Int)
    case ended
  }

  private let state = Mutex(State.running)
  // endregion

  // region pause
  /// No save begins after it, but for one that is under way.
  func pause() {
    state.withLock { state in
      switch state {
      case .running:
        state = .paused(times: 1)
        timer.suspend()
      case .paused(let times): state = .paused(times: times + 1)
      case .ended: break
      }
    }
  }
  // endregion

  // region resume
  /// Makes up for what was missed in the pause, by one save.
  func resume() {
    state.withLock { state in
      guard case .paused(let times) = state else { return }
      state = times == 1 ? .running : .paused(times: times - 1)
      if times == 1 { timer.resume() }
    }
  }
  // endregion

  // region end
  /// No save begins after it, but for one that is under way.
  func end() {
    state.withLock { state in
      if state != .ended { timer.cancel() }
      if case .paused = state { timer.resume() }
      state = .ended
    }
  }
  // endregion
}
