// Looks right: the timer's queue guards the state, and no save is under way when `pause()` returns. Wrong: a save
// that calls it waits for itself.

import ControlledDispatch  // its types are spelled as Dispatch's, and the check gives the turns

/// Saves a document each interval, unless it is paused.
///
/// The check uses `init(every:save:ended:)`, `pause()`, `resume()` and `end()`.
final class Autosaver: @unchecked Sendable {
  // Sendable: what changes is used on `queue` only.
  private enum State { case running, paused, ended }

  private let queue = DispatchQueue(label: "autosave")
  private let timer: any DispatchSourceTimer
  private var state = State.running

  init(
    every interval: DispatchTimeInterval, save: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: save)
    timer.setCancelHandler(handler: ended)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.activate()
  }

  deinit { cancel() }

  /// No save begins after it.
  func pause() {
    queue.sync {
      guard state == .running else { return }
      state = .paused
      timer.suspend()
    }
  }

  /// Makes up for what was missed in the pause, by one save.
  func resume() {
    queue.sync {
      guard state == .paused else { return }
      state = .running
      timer.resume()
    }
  }

  /// No save begins after it.
  func end() { queue.sync { cancel() } }

  private func cancel() {
    if state != .ended { timer.cancel() }
    if state == .paused { timer.resume() }
    state = .ended
  }
}
