import ControlledDispatch  // its types are spelled as Dispatch's, and the check gives the turns

/// Saves a document each interval, unless it is paused.
///
/// The check uses `init(every:save:ended:)`, `pause()`, `resume()` and `end()`.
final class Autosaver: @unchecked Sendable {
  // Sendable: the timer is told under the lock of `state` only.
  private let timer: any DispatchSourceTimer
  // region state
  private enum State { case running, paused, ended }

  private let state = Mutex(State.running)
  // endregion

  /// - Parameters:
  ///   - interval: How long after the beginning the first save comes, and each after the one before.
  ///   - save: Saves the document; called on a queue of its own.
  ///   - ended: Closes the file; called there, behind the last save.
  init(
    every interval: DispatchTimeInterval, save: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "autosave"))
    timer.setEventHandler(handler: save)
    timer.setCancelHandler(handler: ended)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.activate()
  }

  // region deinit
  deinit { end() }
  // endregion

  // region pause
  /// No save begins after it, but for one that is under way.
  func pause() {
    state.withLock { state in
      guard state == .running else { return }
      state = .paused
      timer.suspend()
    }
  }
  // endregion

  // region resume
  /// Makes up for what was missed in the pause, by one save.
  func resume() {
    state.withLock { state in
      guard state == .paused else { return }
      state = .running
      timer.resume()
    }
  }
  // endregion

  // region end
  /// No save begins after it, but for one that is under way.
  func end() {
    state.withLock { state in
      // In this order: a timer that is resumed saves what was missed, unless it is cancelled.
      if state != .ended { timer.cancel() }
      if state == .paused { timer.resume() }
      state = .ended
    }
  }
  // endregion
}
