import Foundation

/// Something that went wrong under a schedule.
public struct Failure: Sendable {
  /// What went wrong.
  public enum Kind: String, Hashable, Sendable {
    /// Nothing can go on, and the scenario has not ended.
    case deadlock
    /// The scenario has ended, and a task that it began never will.
    case leak
    /// The scenario returned an outcome that the caller does not allow.
    case outcome
    /// The scenario threw an error.
    case error
    /// Two tasks used a variable, one of them writing, and nothing orders the two uses.
    case race
    /// The step limit ended the execution.
    case livelock
    /// A continuation was resumed a second time.
    case resumedTwice = "resumed twice"
    /// A continuation was dropped without being resumed.
    case continuationDropped = "continuation dropped"
    /// One schedule gave two different runs.
    case nondeterminism
    /// Another thread made a task of the scenario ready.
    case escape
    /// A strand did what ends a process.
    case trap
    /// A step does not come to its end.
    case blocked
  }

  /// What went wrong.
  public let kind: Kind
  /// What went wrong, in words; with what to do, where that helps.
  public let message: String
  /// The schedule with the fewest switches that is known to show it, if there is one.
  public let schedule: Schedule?
  /// What that schedule does, step by step; nil if its run could not be repeated.
  public let trace: Trace?
  /// What was changed under a task that had looked at it, in one sentence, if that was seen.
  public let cause: String?
  /// In how many schedules it was seen.
  public let schedules: Int
}

extension Failure: CustomStringConvertible {
  /// As wide as `COLUMNS` says, from 40 on; else 100 characters.
  package static let width =
    getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.map { min(max($0, 40), 200) } ?? 100

  public var description: String {
    var text = "\(kind.rawValue): \(message)\n"
    if let cause { text += "cause: \(cause)\n" }
    if let trace { text += "\n" + trace.text(width: Self.width) + "\n" }
    if let schedule { text += "replay(\"\(schedule)\")\n" }
    return text
  }
}
