import Interleaving

/// How often timers fire that nobody waits for.
///
/// A repeating timer could fire any number of times before a strand takes its next step, which no exploration
/// ends with. So of each timer only the first firings come at any step; each later one comes when nothing else
/// can go on, and none when the scenario has ended.
public enum RepeatingTimers {
  private final class State {
    var ahead = 3
  }

  private static let state = PerExecution { State() }

  /// Says how many firings of each timer may come at any step, in the rest of the schedule; call it where the
  /// scenario begins.
  ///
  /// - Parameter count: How many, 0 or more; 3 unless it is said.
  public static func runAhead(_ count: Int) {
    precondition(count >= 0, "a timer fires no less than never")
    state(Control.current(for: "RepeatingTimers")).ahead = count
  }

  static func ahead(_ control: Control) -> Int { state(control).ahead }
}
