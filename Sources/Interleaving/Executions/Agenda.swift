/// What an execution could do next.
struct Agenda {
  /// What a strand does next, when its turn has come.
  struct Entry {
    let strand: StrandID
    /// The steps that made it possible.
    var causes: [Int]
    /// Who has woken the strand and goes on only behind it.
    var maker: StrandID?
    let action: Action
  }

  enum Action {
    /// Runs a job.
    case run(UnownedJob, on: Isolation, priority: UInt8)
    /// Asks for an actor, after it has let others go on: they may ask first. Nobody else can be where it is, or who has
    /// woken it, until it has asked.
    case ask(UnownedJob, for: Isolation, from: Isolation)
    /// Sets the timer of a sleeper.
    case arm(UnownedJob, milliseconds: Int)
    /// Begins, on a thread.
    case start(() -> Void)
    /// Does something that others see. Nobody else can be where it is meanwhile.
    case perform(VisibleOperation, on: Isolation)
    /// Wakes up, at a moment of virtual time in milliseconds.
    case wake(UnownedJob, at: Int)

    var isTimer: Bool { if case .wake = self { true } else { false } }
  }

  /// Something that can be done next.
  struct Candidate {
    let strand: StrandID
    /// Of its entry.
    let index: Int
  }

  private(set) var entries: [Entry] = []

  subscript(index: Int) -> Action { entries[index].action }

  mutating func add(
    _ strand: StrandID, after causes: [Int] = [], from maker: StrandID? = nil, _ action: Action
  ) {
    entries.append(Entry(strand: strand, causes: causes, maker: maker, action: action))
  }

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
    entries.compactMap { entry in
      if case .perform(let operation, _) = entry.action { (entry.strand, operation) } else { nil }
    }
  }

  /// Whether a strand could go on at once: one that sleeps or waits could not.
  func isReady(_ strand: StrandID) -> Bool {
    entries.contains { $0.strand == strand && !$0.action.isTimer }
  }

  /// Jobs in the order of their arrival, of each actor the one that it would serve; then those who ask,
  /// strands that begin and strands that go on; then, if they may be woken, the sleepers whose time comes
  /// first.
  ///
  /// - Parameters:
  ///   - time: When sleepers may be woken.
  ///   - readiness: Whether a strand that blocks can go on.
  /// - Complexity: O(*n*²) where *n* is the number of entries.
  func candidates(
    _ time: VirtualTime, _ readiness: (VisibleOperation) -> VisibleOperation.Readiness
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    candidates.reserveCapacity(entries.count)
    // Of most executions all is jobs.
    var others: [(rank: Int, candidate: Candidate)] = []
    var due: [(deadline: Int, rank: Int, candidate: Candidate)] = []
    for index in entries.indices where !isHeldBack(index) {
      let candidate = Candidate(strand: entries[index].strand, index: index)
      switch entries[index].action {
      case .run(_, let isolation, let priority):
        if isServedNext(index, on: isolation, priority) { candidates.append(candidate) }
      case .ask, .arm: others.append((0, candidate))
      case .start: others.append((1, candidate))
      case .perform(let operation, _):
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
    if !due.isEmpty, time == .passesAtAnyStep || candidates.isEmpty {
      let first = due.lazy.map(\.deadline).min()
      for rank in 0...1 {
        for due in due where due.deadline == first && due.rank == rank {
          candidates.append(due.candidate)
        }
      }
    }
    return candidates
  }

  /// Whether somebody whom the strand has woken is to ask for an actor before, as it would have in its step.
  private func isHeldBack(_ index: Int) -> Bool {
    for other in entries.indices {
      guard let maker = entries[other].maker else { continue }
      if maker == entries[index].strand || other < index && maker == entries[index].maker {
        return true
      }
    }
    return false
  }

  /// Whether no job overtakes this one: actors serve by priority, the main queue by arrival.
  private func isServedNext(_ index: Int, on isolation: Isolation, _ priority: UInt8) -> Bool {
    if isolation == .nonisolated { return true }
    for other in entries.indices {
      switch entries[other].action {
      case .run(_, isolation, let urgency):
        if isolation != .main, urgency > priority { return false }
        if other < index, isolation == .main || urgency == priority { return false }
      case .ask(_, _, isolation), .perform(_, isolation): return false
      default: break
      }
    }
    return true
  }

  /// Forgets everything.
  ///
  /// - Returns: What strands that have not begun would have done; releasing it may run code of the scenario.
  mutating func reset() -> [Entry] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries.filter { if case .start = $0.action { true } else { false } }
  }
}
