/// Something that went wrong in one execution, as what it is; ``Wording`` puts it into words.
enum Finding: Hashable, Sendable {
  /// Strands each of which waits for the next, and the last for the first.
  case cycle([Waiter])
  /// Nothing can go on, and nobody knows who would end the waits.
  case standstill([Waiter])
  /// The scenario has ended without these.
  case leak([Waiter])
  /// The outcome, which the caller does not allow, as text.
  case outcome(String)
  /// The error that the scenario threw, as text.
  case error(String)
  case race(Race)
  case livelock(steps: Int)
  case resumedTwice(by: StrandID, of: StrandID)
  case continuationDropped(of: StrandID)
  /// One schedule gave two different runs; what was set up once in the process in one of them, if anything was.
  case unsteadiness(setUp: String?)
  /// A schedule that was replayed gave another; nil if it asks for a choice that is not there.
  case anotherRun(of: Schedule, Schedule?)
  case escape
  case trap(StrandID, reason: String, at: Place?)
  /// A step has not come to its end.
  case blocked(StrandID, isWaiting: Bool, at: Place?, after: Duration)
}

/// A strand that has not ended, and what it waits for, if that is known.
struct Waiter: Hashable, Sendable {
  let strand: StrandID
  let wait: Wait?
}

/// What a strand waits for.
enum Wait: Hashable, Sendable {
  /// The value of a task, which may be none of the scenario's.
  case value(of: StrandID?)
  /// Its child tasks, or its group where none is known.
  case children([StrandID])
  case continuation
  /// What keeps an operation from being done, or who holds a declared resource.
  case hindrances([Hindrance])

  enum Hindrance: Hashable, Sendable {
    case end(of: StrandID)
    case object(String, heldBy: StrandID?)
  }

  /// The same, whoever holds what is waited for.
  fileprivate var withoutHolders: Wait {
    guard case .hindrances(let hindrances) = self else { return self }
    return .hindrances(
      hindrances.map { hindrance in
        if case .object(let name, _) = hindrance { .object(name, heldBy: nil) } else { hindrance }
      })
  }

  /// Whether others have to come to their end, and nothing else.
  var isForEnds: Bool {
    switch self {
    case .children: true
    case .hindrances(let hindrances):
      hindrances.allSatisfy { if case .end = $0 { true } else { false } }
    case .value, .continuation: false
    }
  }
}

extension Finding {
  /// Whether the two are one to a reader: the same, or one deadlock in which strands have changed their parts.
  func isAlike(_ other: Finding) -> Bool {
    switch (self, other) {
    case (.cycle(let own), .cycle(let others)), (.standstill(let own), .standstill(let others)):
      own == others || own.count == others.count && parts(own) == parts(others)
    default: self == other
    }
  }

  /// What is waited for, how often, by whomever.
  private func parts(_ waiters: [Waiter]) -> [Wait?: Int] {
    Dictionary(waiters.map { ($0.wait?.withoutHolders, 1) }, uniquingKeysWith: +)
  }

  var kind: Failure.Kind {
    switch self {
    case .cycle, .standstill: .deadlock
    case .leak: .leak
    case .outcome: .outcome
    case .error: .error
    case .race: .race
    case .livelock: .livelock
    case .resumedTwice: .resumedTwice
    case .continuationDropped: .continuationDropped
    case .unsteadiness, .anotherRun: .nondeterminism
    case .escape: .escape
    case .trap: .trap
    case .blocked: .blocked
    }
  }
}
