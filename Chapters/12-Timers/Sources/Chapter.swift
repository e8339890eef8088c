import TimersExplored
public import Workbook

extension Chapter {
  /// A document is saved every so often: timers that do not drift, pause, stop for good, and keep to their time.
  public static let timers = Chapter(
    12, "Timers", "an autosaver; ticks, debounce, throttle, time limit",
    Timers.subjects, explored: TimersExplored.subjects,
    demos: [.autosave, .saveBehindExport])
}
