import SystemEventsExplored
public import Workbook

extension Chapter {
  /// Signals, children, files and a program's own events: what is merged, who closes what, and who waits for whom.
  public static let systemEvents = Chapter(
    14, "SystemEvents", "signals, processes, files that change",
    SystemEvents.subjects, explored: SystemEventsExplored.subjects,
    demos: [.rotatedLog, .blockingWait, .termBehindWork, .handlerInterrupts])
}
