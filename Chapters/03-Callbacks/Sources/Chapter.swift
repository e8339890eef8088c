import CallbacksExplored
public import Workbook

extension Chapter {
  /// A completion handler, a delegate and a semaphore become async; who is called, how often, where, and when not.
  public static let callbacks = Chapter(
    3, "Callbacks", "handler, delegate, future; continuations that can be cancelled",
    Callbacks.subjects, explored: CallbacksExplored.subjects,
    demos: [.frozenScreen, .waitingForLow])
}
