import Foundation

/// What a supervisor knows of one child.
struct SupervisedChild: Sendable {
  enum State: Sendable {
    /// It was ordered, and is not heard of yet. A stale one is to be replaced.
    case starting(isStale: Bool)
    case running(pid_t)
    /// It was sent SIGTERM.
    case stopping(pid_t, Supervision.GracePeriod)
    case over
  }

  let command: Command
  var state = State.over
  /// When it was begun again because it had ended.
  private var restarts: [Duration] = []

  init(command: Command) { self.command = command }

  var isStarting: Bool { if case .starting = state { true } else { false } }
  var isOver: Bool { if case .over = state { true } else { false } }

  func isStopping(_ period: Supervision.GracePeriod) -> Bool {
    if case .stopping(_, period) = state { true } else { false }
  }

  /// Notes that it is asked to end.
  ///
  /// - Returns: `false` if it does not run, or was asked before.
  mutating func stop(_ period: Supervision.GracePeriod) -> Bool {
    guard case .running(let id) = state else { return false }
    state = .stopping(id, period)
    return true
  }

  /// Counts one more restart, if it may have one.
  ///
  /// - Returns: `false` if it has had its restarts within the window.
  mutating func mayRestart(at now: Duration, limit: Int, within window: Duration) -> Bool {
    restarts.removeAll { now - $0 >= window }
    guard restarts.count < limit else { return false }
    restarts.append(now)
    return true
  }

  /// A line for people.
  var report: String {
    switch state {
    case .starting: "\(command): is begun"
    case .running(let id): "\(command): runs as \(id)"
    case .stopping(let id, _): "\(command): is asked to end, as \(id)"
    case .over: "\(command): has ended"
    }
  }
}
