/// What a strand does that a thread carries; it gives up what it has of the scenario as its last act.
final class Beginning {
  private var body: (() -> Void)?
  private var bodyWithResult: ((VisibleOperation.Result) -> Void)?

  init(_ body: consuming @escaping () -> Void) { self.body = body }

  /// - Parameter body: What it does with what the operation came to that it has begun with.
  init(with body: consuming @escaping (VisibleOperation.Result) -> Void) { bodyWithResult = body }

  /// - Parameter result: What the operation came to that it has begun with, if any.
  @inline(never)
  func run(_ result: VisibleOperation.Result) {
    body.take()?()
    bodyWithResult.take()?(result)
  }
}

/// What an execution could do next.
struct Agenda: ~Copyable {
  /// What a strand does next, when its turn has come.
  struct Entry {
    let strand: StrandID
    /// The steps that made it possible.
    var causes: [Int]
    /// Of a job of the main actor's: its place in the line for the main thread.
    var place: PlaceInLine?
    /// Who has woken the strand and goes on only behind it.
    var maker: StrandID?
    let action: Action
    /// Whether nobody need go on before it, as of the operation that it does.
    let isPrompt: Bool
  }

  enum Action {
    /// Runs a job.
    case run(UnownedJob, on: Isolation, priority: UInt8)
    /// Asks for an actor, after it has let others go on: they may ask first. Nobody else can be where it is, or who has
    /// woken it, until it has asked.
    case ask(UnownedJob, for: Isolation, from: Isolation)
    /// Sets the timer of a sleeper.
    case arm(UnownedJob, milliseconds: Int)
    /// Begins, on a thread, when what it begins with can be done.
    case start(Beginning, with: VisibleOperation?)
    /// Does something that others see. Nobody else can be where it is meanwhile.
    case perform(VisibleOperation, on: Isolation)
    /// Wakes up, at a moment of virtual time in milliseconds.
    case wake(UnownedJob, at: Int)

    var isTimer: Bool { if case .wake = self { true } else { false } }

    /// What it does first that others see, if that may have to wait.
    var operation: VisibleOperation? {
      switch self {
      case .perform(let operation, _): operation
      case .start(_, let operation): operation
      default: nil
      }
    }
  }

  /// Between whom something is in a line.
  struct PlaceInLine {
    /// The event of the end of what comes before; nil if nothing does.
    let after: ObjectID?
    /// The event of its own end.
    let end: ObjectID
  }

  /// Something that can be done next.
  struct Candidate {
    let strand: StrandID
    /// Of its entry.
    let index: Int
  }

  private(set) var entries: [Entry] = []

  subscript(index: Int) -> Action { _read { yield entries[index].action } }

  mutating func add(
    _ strand: StrandID, after causes: [Int] = [], from maker: StrandID? = nil,
    at place: PlaceInLine? = nil, _ action: Action
  ) {
    entries.append(
      Entry(
        strand: strand, causes: causes, place: place, maker: maker, action: action,
        isPrompt: action.operation?.isPrompt == true))
  }

  /// Where a candidate is in the line for the main thread, if it wants that.
  func place(of candidate: Candidate) -> PlaceInLine? { entries[candidate.index].place }

  mutating func take(at index: Int) -> Entry { entries.remove(at: index) }

  /// Takes the timer of a strand that sleeps, with its deadline, which is nil while it is not set.
  mutating func takeTimer(of strand: StrandID) -> (job: UnownedJob, deadline: Int?)? {
    for (index, entry) in entries.enumerated() where entry.strand == strand {
      switch entry.action {
      case .wake(let job, let deadline):
        entries.remove(at: index)
        return (job, deadline)
      case .arm(let job, _):
        entries.remove(at: index)
        return (job, nil)
      default: continue
      }
    }
    return nil
  }

  /// Where a strand waits to go on, the newest if there are several such places.
  func isolation(of strand: StrandID) -> Isolation? {
    for entry in entries.reversed() where entry.strand == strand {
      if case .run(_, let isolation, _) = entry.action { return isolation }
    }
    return nil
  }

  /// The strands that wait to do something that others see, with that.
  var operations: [(strand: StrandID, operation: VisibleOperation)] {
    entries.compactMap { entry in entry.action.operation.map { (entry.strand, $0) } }
  }

  /// Whether a strand could go on at once: one that sleeps or waits could not.
  func isReady(_ strand: StrandID) -> Bool {
    entries.contains { $0.strand == strand && !$0.action.isTimer }
  }

  /// Jobs in the order of their arrival, of each actor the one that it would serve; then those who ask,
  /// strands that begin and strands that go on; then those whose time has come, or may come at any step.
  ///
  /// - Parameters:
  ///   - time: When time passes.
  ///   - clock: How late it is.
  ///   - readiness: Whether a strand that blocks can go on.
  /// - Returns: Them, and the moment at which something else is due, if only time has to pass for that.
  /// - Complexity: O(*n*) where *n* is the number of entries; for each that was made by a strand that goes on, once more.
  func candidates(
    _ time: VirtualTime, at clock: VirtualClock,
    _ readiness: (VisibleOperation) -> VisibleOperation.Readiness
  ) -> (ready: [Candidate], nextMoment: Int?) {
    var candidates: [Candidate] = []
    candidates.reserveCapacity(entries.count)
    // Of most executions all is jobs.
    var others: [(rank: Int, candidate: Candidate)] = []
    var due: [(deadline: Int, rank: Int, candidate: Candidate)] = []
    let makers = entries.indices.filter { entries[$0].maker != nil }
    let served = servedNext
    for index in entries.indices where !isHeldBack(index, by: makers) {
      let candidate = Candidate(strand: entries[index].strand, index: index)
      switch entries[index].action {
      case .run(_, let isolation, _):
        if isolation == .nonisolated || served[isolation] == index { candidates.append(candidate) }
      case .ask, .arm: others.append((0, candidate))
      case .start(_, nil): others.append((1, candidate))
      case .perform(let operation, _), .start(_, let operation?):
        switch readiness(operation) {
        case .now: others.append((2, candidate))
        case .later: break
        case .due(let deadline): due.append((deadline, 0, candidate))
        }
      case .wake(_, let deadline): due.append((deadline, 1, candidate))
      }
    }
    for rank in 0...2 where !others.isEmpty {
      for other in others where other.rank == rank { candidates.append(other.candidate) }
    }
    guard !due.isEmpty else { return (candidates, nil) }
    let first = due.lazy.map(\.deadline).min()
    for rank in 0...1 {
      for due in due where due.rank == rank {
        let isTime =
          waitsForIdle(due.candidate, time)
          ? clock.hasReached(due.deadline)
          : due.deadline == first && (!clock.stands || due.deadline <= clock.now)
        if isTime { candidates.append(due.candidate) }
      }
    }
    return (candidates, clock.stands ? nil : first)
  }

  private func waitsForIdle(_ candidate: Candidate, _ time: VirtualTime) -> Bool {
    entries[candidate.index].action.operation?.waitsForIdle ?? (time == .passesWhenIdle)
  }

  /// Whether somebody whom the strand has woken is to ask for an actor before, as it would have in its step.
  private func isHeldBack(_ index: Int, by makers: [Int]) -> Bool {
    for other in makers {
      let maker = entries[other].maker
      if maker == entries[index].strand || other < index && maker == entries[index].maker {
        return true
      }
    }
    return false
  }

  /// The job that each actor would serve, which no other overtakes: actors serve by priority, the main queue by arrival.
  /// Where somebody is who waits for a turn, nobody is served.
  private var servedNext: [Isolation: Int] {
    var served: [Isolation: (index: Int, urgency: UInt8)] = [:]
    for index in entries.indices {
      switch entries[index].action {
      case .run(_, let isolation, let urgency) where isolation != .nonisolated:
        guard let first = served[isolation] else {
          served[isolation] = (index, urgency)
          continue
        }
        if isolation != .main, urgency > first.urgency { served[isolation] = (index, urgency) }
      default: break
      }
    }
    guard !served.isEmpty else { return [:] }
    for entry in entries {
      switch entry.action {
      case .ask(_, _, let isolation), .perform(_, let isolation): served[isolation] = nil
      default: break
      }
    }
    return served.mapValues(\.index)
  }

  /// Forgets everything.
  ///
  /// - Returns: What strands that have not begun would have done; releasing it may run code of the scenario.
  mutating func reset() -> [Entry] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries.filter { if case .start = $0.action { true } else { false } }
  }
}
