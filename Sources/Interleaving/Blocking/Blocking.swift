/// What an execution keeps for strands that block, each carried by a thread.
struct Blocking {
  /// What strands share, by its number.
  var states: [Int: ObjectState] = [:]
  /// The events that have happened, and in which step.
  private(set) var events: [Int: Int] = [:]
  /// Who holds a lock, and who will make an event happen.
  var holders: [Int: Int] = [:]
  /// What objects are called, and how many of a kind have been.
  private(set) var names: [Int: String] = [:]
  private var kinds: [String: Int] = [:]
  /// What belongs to an owner; the owner is kept, so that no other gets its address.
  private var attachments: [ObjectIdentifier: (owner: AnyObject, state: Any)] = [:]
  /// The event of a strand's end.
  var ends: [Int: Int] = [:]
  /// The carrier that has the turn.
  var carrier: Carrier?
  private var idle: [Carrier] = []
  /// Carriers whose threads have ended by themselves, or are about to.
  var ended: [Carrier] = []
  private var processor: Int?
  /// How many operations were done without a turn.
  fileprivate(set) var operationsAtOnce = 0
  /// Given when an execution has ended.
  let hasEnded = Semaphore()

  /// Only the first time counts.
  mutating func happen(_ event: Int, in step: Int) { events[event] = events[event] ?? step }

  /// Does an operation without a turn, for who is no strand that blocks.
  mutating func doAtOnce(
    _ operation: VisibleOperation, by strand: Int?
  ) -> VisibleOperation.Result {
    operationsAtOnce += 1
    let result = operation.apply(to: &states)
    if result == .done { noteHolders(operation, by: strand ?? -1) }
    return result
  }

  mutating func noteHolders(_ operation: VisibleOperation, by strand: Int) {
    for use in operation.uses {
      switch use.action {
      case .acquire, .attempt: holders[use.object] = strand
      case .release: holders[use.object] = nil
      default: break
      }
    }
  }

  mutating func attachment<State>(of owner: AnyObject, _ make: () -> State) -> State {
    if let known = attachments[ObjectIdentifier(owner)] { return known.state as! State }
    let state = make()
    attachments[ObjectIdentifier(owner)] = (owner, state)
    return state
  }

  mutating func name(_ object: Int, kind: String, label: String?) {
    guard names[object] == nil else { return }
    let count = (kinds[kind] ?? 0) + 1
    kinds[kind] = count
    names[object] = label.map { "\(kind) \($0)" } ?? (count == 1 ? kind : "\(kind) \(count)")
  }

  /// A carrier that carries nothing.
  mutating func takeCarrier(_ body: @escaping @Sendable (Carrier) -> Void) -> Carrier {
    if let carrier = idle.popLast() { return carrier }
    if processor == nil {
      processor = Processors.borrow()
      // The exploration's own thread waits while carriers run, and is woken for less beside them.
      Processors.stay(on: processor!)
    }
    return Carrier(processor: processor!, body)
  }

  mutating func giveBack(_ carrier: Carrier) { idle.append(carrier) }

  /// What belongs to owners; releasing it may run code of the scenario.
  mutating func takeAttachments() -> [(owner: AnyObject, state: Any)] {
    defer { attachments = [:] }
    return Array(attachments.values)
  }

  mutating func reset() {
    if !states.isEmpty { states.removeAll(keepingCapacity: true) }
    if !events.isEmpty { events.removeAll(keepingCapacity: true) }
    if !holders.isEmpty { holders.removeAll(keepingCapacity: true) }
    if !names.isEmpty {
      names.removeAll(keepingCapacity: true)
      kinds.removeAll(keepingCapacity: true)
    }
    if !ends.isEmpty { ends.removeAll(keepingCapacity: true) }
    operationsAtOnce = 0
  }

  /// Ends the threads.
  mutating func finish() {
    for carrier in idle { carrier.end() }
    idle = []
    if let processor { Processors.giveBack(processor) }
    processor = nil
  }
}

extension ScenarioExecutor {
  // MARK: Turns

  /// Runs steps on carriers until the execution has ended.
  func runOnCarriers() {
    blocking.takeCarrier(serve).hand(.look)
    blocking.hasEnded.wait()
    recorder?.finish(
      agenda.pending.map { ($0.strand, "waits for \(wait(of: $0.strand) ?? "its turn")") })
    // What waits cannot be unwound, and an execution that was cut off goes on no further.
    for waiting in agenda.pending { waiting.carrier.end() }
    for carrier in blocking.ended { carrier.join() }
    blocking.ended = []
  }

  /// What a carrier's thread does.
  private func serve(_ carrier: Carrier) {
    SwiftRuntime.setCurrent(self)
    while true {
      switch carrier.await() {
      case .end: return
      case .look: look(carrier)
      case .take(let candidate):
        blocking.carrier = carrier
        take(candidate)
        look(carrier)
      }
    }
  }

  /// Does what is next until it is another's turn.
  private func look(_ carrier: Carrier) {
    while true {
      blocking.carrier = carrier
      guard let candidate = next() else {
        blocking.giveBack(carrier)
        blocking.hasEnded.signal()
        return
      }
      if case .operation(let index) = candidate.index {
        blocking.giveBack(carrier)
        agenda.pending[index].carrier.hand(.take(candidate))
        return
      }
      take(candidate)
    }
  }

  /// Ends the step under way and waits for the turn to begin the next with an operation.
  ///
  /// - Parameter note: What a trace says about it.
  /// - Returns: What it came to.
  @discardableResult
  func perform(
    _ operation: VisibleOperation, _ note: @autoclosure () -> String? = nil
  ) -> VisibleOperation.Result {
    // Between executions what is released may do something. And who sets up a `static` must come to
    // its end before all is explored anew.
    let isAtOnce =
      running == nil
      || !options.usesCarriers && blocking.operationsAtOnce < 1_000
        && readiness(of: operation) == .now
    if isAtOnce { return blocking.doAtOnce(operation, by: running) }
    let (carrier, strand) = turn
    let place = runningPlace
    settle()
    recorder?.leave(of: self)
    end(strand)
    agenda.add(
      Agenda.Pending(operation: operation, strand: strand, place: place, carrier: carrier))
    waitForTurn(carrier, of: strand)
    begin(
      strand, place: place, cause: -1, after: operation.events.compactMap { blocking.events[$0] })
    return apply(operation, by: strand, note())
  }

  /// Returns when a strand's operation is the next to be done.
  private func waitForTurn(_ carrier: Carrier, of strand: Int) {
    var mine = passTurn(from: carrier)
    if mine == nil, case .take(let candidate) = carrier.await() { mine = candidate }
    guard case .operation(let index)? = mine?.index else { Carrier.exit() }
    _ = agenda.takePending(at: index)
    blocking.carrier = carrier
  }

  /// Gives the turn to whom the search says.
  ///
  /// - Returns: What comes next, if it is the calling carrier's own; else the turn has gone.
  private func passTurn(from carrier: Carrier) -> Agenda.Candidate? {
    guard let candidate = next() else {
      blocking.hasEnded.signal()
      return nil
    }
    guard case .operation(let index) = candidate.index else {
      blocking.takeCarrier(serve).hand(.take(candidate))
      return nil
    }
    let other = agenda.pending[index].carrier
    if other === carrier { return candidate }
    other.hand(.take(candidate))
    return nil
  }

  private func apply(
    _ operation: VisibleOperation, by strand: Int, _ note: @autoclosure () -> String?
  ) -> VisibleOperation.Result {
    let result = operation.apply(to: &blocking.states)
    for use in operation.uses {
      footprint.touch(use.action.mode, object: use.object)
      if case .expire = use.action, options.time == .passesWhenIdle { needsEverySchedule = true }
      if case .expire(let moment) = use.action, result == .timedOut || !operation.givesUp {
        now = max(now, moment)
      }
      guard result == .done else { continue }
      if use.action.acquires { races.acquire(use.object) }
      if use.action.releases { races.release(use.object) }
    }
    if result == .done { blocking.noteHolders(operation, by: strand) }
    if footprint.isKept {
      footprint.operation = operation
      footprint.result = result
    }
    if let recorder, let note = note() { recorder.note(.does(note)) }
    return result
  }

  /// Whether a strand that waits to do something can.
  func readiness(of operation: VisibleOperation) -> VisibleOperation.Readiness {
    guard operation.events.allSatisfy({ blocking.events[$0] != nil }) else { return .later }
    return operation.readiness { blocking.states[$0.object] ?? $0.initial }
  }

  // MARK: Strands

  /// Begins a strand.
  ///
  /// - Returns: The event of its end.
  func begin(name: String?, _ body: @escaping () -> Void) -> Int {
    if !options.usesCarriers, running != nil { startOverOnCarriers() }
    let strand = bear(nil)
    strands[strand].isThread = true
    if let name { recorder?.name(strand, name) }
    let end = footprint.variable(madeBy: running)
    blocking.ends[strand] = end
    blocking.holders[end] = strand
    agenda.add(Agenda.Start(strand: strand, body: body, cause: steps))
    return end
  }

  /// A strand's body has returned.
  func completeThread(_ strand: Int) {
    strands[strand].isComplete = true
    if let end = blocking.ends[strand] { blocking.happen(end, in: steps) }
  }

  /// Notes that a strand does what would end the process, and lets it do no more.
  ///
  /// The others go on, as they could if this one were slow: so a trap hides no other.
  func trap(_ reason: String) -> Never {
    let (carrier, strand) = turn
    findings.append(Finding(.trap, "\(name(of: strand)): \(reason)"))
    recorder?.note(.does("traps: \(reason)"))
    leave(carrier, strand)
  }

  /// Whether a strand did what would end the process.
  var hasTrapped: Bool { findings.contains { $0.kind == .trap } }

  /// Ends the running strand as `Thread.exit()` does, and gives the turn on.
  func exitStrand() -> Never {
    let (carrier, strand) = turn
    guard strands[strand].isThread else { trap("ends the thread of a task, which others use, too") }
    completeThread(strand)
    leave(carrier, strand)
  }

  /// The carrier that has the turn, with its strand; where there are no carriers yet, explores anew.
  private var turn: (carrier: Carrier, strand: Int) {
    guard let carrier = blocking.carrier, let running else { startOverOnCarriers() }
    return (carrier, running)
  }

  private func startOverOnCarriers() -> Never {
    guard let startOver else { preconditionFailure("nothing here can run strands that block") }
    startOver()
  }

  /// Explores anew, and does not return, if strands that block were met where there are no carriers.
  func startOverIfNeeded() {
    if !options.usesCarriers, blocking.operationsAtOnce > 0 { startOverOnCarriers() }
  }

  /// Ends the step under way and the calling thread, and gives the turn on.
  private func leave(_ carrier: Carrier, _ strand: Int) -> Never {
    settle()
    end(strand)
    blocking.ended.append(carrier)
    _ = passTurn(from: carrier)
    Carrier.exit()
  }

  /// The strands that wait in vain, with what they wait for.
  var blocked: [Step] {
    agenda.pending.compactMap { waiting in
      let events = waiting.operation.events.map { blocking.events[$0] }
      guard !events.contains(nil) else { return nil }
      return Step(
        strand: waiting.strand, predecessors: events.compactMap { $0 },
        accesses: waiting.operation.uses.map { Access($0.action.mode, $0.object) },
        operation: waiting.operation)
    }
  }
}
