/// What an exploration found.
public struct Exploration<Outcome: Hashable & Sendable>: Sendable {
  /// How an outcome came about.
  public struct Occurrence: Sendable {
    /// In how many of the schedules.
    public let schedules: Int
    /// The one with the fewest switches that is known to give it.
    public let schedule: Schedule
  }

  /// Every outcome that was seen.
  public let outcomes: [Outcome: Occurrence]
  /// What went wrong, one entry for each thing that did, in the order in which they were met; the first
  /// twenty.
  public let failures: [Failure]
  /// How many schedules were run, each counted once; not those that compare, shorten and trace.
  public let schedules: Int
  /// Why the exploration ended.
  public let completeness: Completeness
  /// How many tasks were left behind because nothing can end them.
  public let abandonedTasks: Int
  /// How far an exploration came that was cut off at the limit on schedules, and what to try instead; and why a reduction
  /// has left out nothing, in words; else nil.
  public let advice: String?

  /// Whether no schedule is left; ``completeness`` says under which assumption, or what ended it.
  public var isComplete: Bool {
    if case .complete = completeness { true } else { false }
  }
}

/// Why an exploration ended.
public enum Completeness: Hashable, Sendable {
  /// No schedule is left, or none whose class was not run, and no race was missed, if all that is assumed holds.
  case complete(assuming: [Strategy.Assumption])
  /// No schedule with at most so many preemptions is left.
  case bounded(preemptions: Int)
  /// As many schedules as asked for were drawn; there may be others.
  case sampled
  /// One schedule was replayed.
  case replayed
  /// The limit on schedules was reached.
  case scheduleLimit(Int)
  /// A schedule failed, and no more were asked for.
  case stoppedAtFailure
  /// A schedule was cut off at the limit on steps, so what would have followed is unknown.
  case stepLimit(Int)
  /// Too many tasks had to be left behind.
  case abandonedTaskLimit(Int)
  /// What the caller assumed does not hold, for the reason given.
  case assumptionBroken(String)
  /// A variable is raced for whose orders break memory, so that the race is all that is known.
  case unexploredRace(of: String)
  /// All that the strategy promises was done, of what this runtime lets the explorer control; what it
  /// does not is named.
  case partialControl(String)
  /// The runs cannot be controlled or told apart; a failure says why.
  case uncontrolled
  /// The task that awaited the exploration was cancelled.
  case cancelled
}

extension Completeness {
  /// Whether less was done than the strategy promises.
  public var isCutShort: Bool {
    switch self {
    case .complete, .bounded, .sampled, .replayed: false
    default: true
    }
  }
}

extension Completeness: CustomStringConvertible {
  public var description: String {
    switch self {
    case .complete([]): "complete: no schedule is left"
    case .complete(let assumptions):
      "complete, assuming " + assumptions.map { "that \($0)" }.joined(separator: ", and ")
    case .bounded(let preemptions):
      "complete up to \(preemptions) preemption\(preemptions == 1 ? "" : "s")"
    case .sampled: "sampled: other schedules may differ"
    case .replayed: "one schedule, replayed"
    case .scheduleLimit(let limit): "not complete: stopped at the limit of \(limit) schedules"
    case .stoppedAtFailure: "not complete: stopped at the first schedule that failed"
    case .stepLimit(let limit):
      "not complete: a schedule was cut off at the limit of \(limit) steps"
    case .abandonedTaskLimit(let limit):
      "not complete: stopped after leaving \(limit) tasks behind that nothing can end"
    case .assumptionBroken(let reason): "not complete: the assumption does not hold: \(reason)"
    case .unexploredRace(let variable):
      "not complete: \(variable) is raced for, and running that in every order breaks memory"
    case .partialControl(let missing): "not complete on this runtime: \(missing)"
    case .uncontrolled: "not complete: not every run is under control"
    case .cancelled: "not complete: cancelled"
    }
  }
}

extension Exploration: CustomStringConvertible {
  /// Outcomes, failures with their traces, count and completeness; for a test's message.
  public var description: String {
    var text = "\(schedules) schedule\(schedules == 1 ? "" : "s"); \(completeness)\n"
    if let advice { text += advice + "\n" }
    for (outcome, occurrence) in outcomes.map({ (canonicalText(of: $0), $1) }).sorted(by: {
      $0.0 < $1.0
    }) {
      text += "outcome \(outcome) in \(occurrence.schedules)"
      text += ", for example \(occurrence.schedule)\n"
    }
    for failure in failures { text += "\n\(failure)" }
    return text
  }
}

/// A value as text that does not depend on the order in which sets and dictionaries give their
/// elements.
func canonicalText(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .set, .dictionary:
    let elements = mirror.children.map { canonicalText(of: $0.value) }.sorted()
    return "[" + elements.joined(separator: ", ") + "]"
  case .collection:
    return "[" + mirror.children.map { canonicalText(of: $0.value) }.joined(separator: ", ") + "]"
  case .optional:
    return mirror.children.first.map { canonicalText(of: $0.value) } ?? "nil"
  case .tuple:
    return "(" + mirror.children.map { canonicalText(of: $0.value) }.joined(separator: ", ") + ")"
  case .struct where !(value is any CustomStringConvertible):
    let fields = mirror.children.map { "\($0.label ?? ""): \(canonicalText(of: $0.value))" }
    return "\(type(of: value))(\(fields.joined(separator: ", ")))"
  case .enum where !(value is any CustomStringConvertible):
    guard let payload = mirror.children.first else { return "\(value)" }
    return "\(payload.label ?? "")(\(canonicalText(of: payload.value)))"
  default: return "\(value)"
  }
}
