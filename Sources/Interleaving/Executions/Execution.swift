/// One execution so far: which strands there are, what each could do next, what they share, and what the
/// step under way has touched.
///
/// It runs nothing, and so meets no code of the scenario. Whoever runs steps asks for the `candidates`, takes
/// one, says where its step begins and ends, and in between what comes of it. A scenario that starts a task
/// and awaits its value goes so:
///
///     begin(scenario)  bear(task)  add(job of task)  end()     // the scenario waits
///     begin(task)      complete(task)  add(job of scenario)  end()
///     begin(scenario)  complete(scenario)  end()
final class Execution {
  /// The step under way.
  struct Current {
    let strand: StrandID
    let isolation: Isolation
    /// Whether it has begun another task or let one go on.
    var hasWoken = false
    /// Whether its task has asked for its own job.
    var isYielding = false
  }

  private let options: Options
  /// Whether the layout of tasks is known.
  let seesTasks: Bool
  // Unchecked where every step needs it several times: one thread has the turn, and no method of a part calls
  // out, so that no two accesses overlap. Checked, it costs a sixth of an exploration.
  @exclusivity(unchecked) var strands = StrandTable()
  @exclusivity(unchecked) var agenda = Agenda()
  @exclusivity(unchecked) var report = Report()
  @exclusivity(unchecked) var current: Current?
  /// How many steps have ended.
  @exclusivity(unchecked) private(set) var steps = 0
  @exclusivity(unchecked) private var previous: StrandID?
  /// Whether a search wants to be told; it costs time.
  @exclusivity(unchecked) private(set) var keepsSteps = false
  /// The step under way, as a search is told of it.
  @exclusivity(unchecked) private var step = Step(strand: .outside)
  let races = RaceDetector()
  @exclusivity(unchecked) var actors = ActorTable(isTracking: false)
  @exclusivity(unchecked) var objects = ObjectTable()
  @exclusivity(unchecked) var clock = VirtualClock()
  /// Of each step, those that come before it in every order that a reduction knows of, but for conflicts.
  @exclusivity(unchecked) private var predecessors: [[Int]] = []
  @exclusivity(unchecked) private var lastStepOn: [Isolation: Int] = [:]
  /// Whether the order of two that leave a group is of no matter.
  private var leavesCommute = true

  init(_ options: Options, seesTasks: Bool) {
    self.options = options
    self.seesTasks = seesTasks
  }

  /// Forgets what was, but for what must be the same in every execution.
  ///
  /// - Parameters:
  ///   - keepsSteps: Whether a search wants to be told of each step.
  ///   - isRecorded: Whether it is written down.
  func reset(keepsSteps: Bool, isRecorded: Bool) {
    self.keepsSteps = keepsSteps
    strands.reset()
    strands.isNaming = isRecorded
    races.reset(isPossible: options.usesCarriers || options.seesOrder)
    predecessors.removeAll(keepingCapacity: true)
    actors = ActorTable(isTracking: keepsSteps || races.isWatching || isRecorded)
    objects.reset()
    clock.reset()
    report = Report()
    current = nil
    steps = 0
    previous = nil
    if !lastStepOn.isEmpty { lastStepOn.removeAll(keepingCapacity: true) }
  }

  /// Whether locks are tried, so that it matters what others do before an unlocking.
  var triesLocks = false

  /// Tells leaving a group from leaving it, from the next execution on.
  func orderLeaves() { leavesCommute = false }

  // MARK: What could be done

  /// The strand whose step is under way.
  var running: StrandID? { current?.strand }

  var candidates: [Agenda.Candidate] {
    let candidates = agenda.candidates(options.time) { objects.readiness(of: $0) }
    let prompt = candidates.first {
      if case .perform(let operation, _) = agenda[$0.index] { operation.isPrompt } else { false }
    }
    return prompt.map { [$0] } ?? candidates
  }

  /// What a search is asked when it must choose among candidates.
  func point(_ candidates: [Agenda.Candidate]) -> SchedulingPoint {
    SchedulingPoint(
      strands: candidates.map(\.strand),
      previous: previous.flatMap { agenda.isReady($0) ? $0 : nil }, knownActors: actors.count,
      triesAll: strands.hasMixedPriorities
        || options.time == .passesWhenIdle && agenda[candidates[0].index].isTimer)
  }

  // MARK: Steps

  /// A step begins.
  ///
  /// - Parameters:
  ///   - causes: Steps that made this one possible.
  ///   - isAfterAll: Whether every strand's steps so far come before it.
  func begin(
    _ strand: StrandID, on isolation: Isolation, after causes: [Int?] = [],
    isAfterAll: Bool = false
  ) {
    current = Current(strand: strand, isolation: isolation)
    report.digest.add(strands[strand].rank)
    report.digest.add(isolation == .nonisolated ? 0 : isolation == .main ? 1 : 2)
    if races.isWatching {
      races.begin(strand, after: isAfterAll ? strands.born : [])
      if let object = isolation.object { races.acquire(object) }
    }
    guard keepsSteps else { return }
    step = Step(strand: strand)
    step.predecessors = (causes + [strands[strand].lastStep]).compactMap { $0 }
    if isolation != .nonisolated, let last = lastStepOn[isolation] {
      step.predecessors.append(last)
    }
    if isAfterAll { step.predecessors += strands.born.compactMap { strands[$0].lastStep } }
    lastStepOn[isolation] = steps
    predecessors.append(step.predecessors)
    // A strand that blocks touches nothing but what its operation says.
    guard strands[strand].end == nil else { return }
    touch(.read, .world)
    if strands[strand].children > 0 { touch(.read, .children(of: strand)) }
    if strands.hasMixedPriorities { touch(.write, .world) }
  }

  func touch(_ mode: Access.Mode, _ object: ObjectID) {
    if keepsSteps { step.touch(mode, object) }
  }

  /// A strand waits to do something that others see.
  func add(_ operation: VisibleOperation, of strand: StrandID, on isolation: Isolation) {
    var operation = operation
    if !leavesCommute {
      for index in operation.uses.indices where operation.uses[index].action == .leave {
        operation.uses[index].mode = .write
      }
    }
    agenda.add(strand, .perform(operation, on: isolation))
  }

  /// Does the operation that the step under way begins with.
  func apply(_ operation: VisibleOperation) -> VisibleOperation.Result {
    let result = objects.apply(operation, by: running!)
    for event in operation.events { races.acquire(event) }
    for use in operation.uses {
      touch(use.mode, use.object)
      if case .expire(let moment) = use.action {
        if options.time == .passesWhenIdle { report.demand = .schedules }
        if result == .timedOut || !operation.givesUp { clock.advance(to: moment) }
      }
      guard result == .done else { continue }
      if use.action.acquires { races.acquire(use.object) }
      if use.action.releases { races.release(use.object) }
    }
    if keepsSteps { (step.operation, step.result) = (operation, result) }
    return result
  }

  /// Ends the step under way.
  ///
  /// - Returns: What a search is to be told, if it wants to be.
  func end() -> Step? {
    guard let current else { return nil }
    let strand = current.strand
    strands[strand].lastStep = steps
    if let object = current.isolation.object { races.release(object) }
    if seesTasks, strands.noticeChanges(withPriorities: keepsSteps) {
      // The children of who was cancelled are, too, also those that have ended and might have seen it.
      touch(.write, .world)
    }
    if keepsSteps, !strands[strand].isComplete {
      strands[strand].waitsForContinuation = strands[strand].task?.wait == .continuation
    }
    if let previous, previous != strand { report.switches += 1 }
    previous = strand
    self.current = nil
    steps += 1
    return keepsSteps ? step : nil
  }

  // MARK: Strands

  /// A new strand, known by its parent and by how many that has had.
  func bear(_ task: TaskReference?) -> StrandID {
    // A task that began within another's step is not for that one to await.
    let parent = task?.parent.map { strand(of: $0) } ?? running
    let wasMixed = strands.hasMixedPriorities
    let born = strands.bear(task, parent: parent)
    if let task { races.know(task, true) }
    if strands.hasMixedPriorities, !wasMixed { touch(.write, .world) }
    return born
  }

  /// The strand of a task, which is new if it was not met before.
  func strand(of task: TaskReference) -> StrandID {
    strands.strand(of: task) ?? bear(task)
  }

  /// A new strand that a thread will carry, with the event of its end.
  func bearThread(
    _ name: String?, _ body: @escaping () -> Void
  ) -> (strand: StrandID, end: ObjectID) {
    let strand = bear(nil)
    if let name { strands.name(strand, name) }
    let end = makeObject()
    strands[strand].end = end
    objects.holders[end] = strand
    races.begin(thread: strand)
    agenda.add(strand, cause: steps, .start(body))
    return (strand, end)
  }

  /// A new object of the running strand, which has the same identity in every execution.
  func makeObject() -> ObjectID { objects.make(by: running) }

  /// A strand has come to its end.
  func complete(_ strand: StrandID) {
    strands[strand].isComplete = true
    if let task = strands[strand].task { races.know(task, false) }
    if let end = strands[strand].end { return happen(end) }
    guard let parent = strands[strand].parent else { return }
    if strands[strand].task == nil {
      touch(.write, .world)
    } else if strands[strand].isChild {
      touch(strands[strand].isGroupChild ? .write : .post, .children(of: parent))
    } else {
      touch(.post, .world)
    }
  }

  /// The running strand does what would end the process.
  func trap(_ reason: String) {
    report.findings.append(.trap(running!, reason: reason))
    report.hasTrapped = true
    if step.result == .refused,
      step.operation?.uses.contains(where: { $0.action == .leave }) == true
    {
      report.demand = max(report.demand, .ordersOfLeaving)
    }
  }

  /// An event happens in the step under way; only the first time counts.
  func happen(_ event: ObjectID) {
    objects.events[event] = objects.events[event] ?? steps
    races.release(event)
  }

  // MARK: What becomes possible

  /// A job is ready.
  ///
  /// Of a task that does `Task { await log.say("a") }` and then `await log.say("b")`, the new task may come to
  /// the actor first. Both would be in the actor's queue by the step's end, in the order of the code. So a task
  /// that has woken another, and then asks for an actor, asks in a step of its own.
  ///
  /// - Returns: The timer of a sleeper that is woken before its time and leaves it behind.
  func add(
    _ job: UnownedJob, of strand: StrandID, on isolation: Isolation
  ) -> UnownedJob? {
    let isOwn = strand == running
    if isOwn, isolation != .nonisolated, let current,
      current.hasWoken || seesTasks && strands.hasCancelled
    {
      agenda.add(strand, .ask(job, for: isolation, from: current.isolation))
      return nil
    }
    let priority = UInt8(truncatingIfNeeded: job.priority.rawValue)
    agenda.add(
      strand, cause: current == nil ? strands[strand].lastStep : steps,
      .run(job, on: isolation, priority: priority))
    let stale = isOwn ? nil : agenda.takeTimer(of: strand)
    if !isOwn {
      current?.hasWoken = true
      step.replacesAnother = step.replacesAnother || stale != nil
      checkAssumption(strand)
    }
    if let object = isolation.object { touch(.write, object) }
    return stale
  }

  /// Notes that a task was resumed by a step that nothing visible puts after its wait: a stream, a
  /// lock or an atomic must join the two.
  private func checkAssumption(_ strand: StrandID) {
    guard keepsSteps, report.unorderedWake == nil, let running,
      strands[strand].waitsForContinuation,
      let task = strands[strand].task, strands[strand].wasCancelled || !task.isCancelled,
      let last = strands[strand].lastStep, !isKnown(last)
    else { return }
    report.unorderedWake = (running, strand)
  }

  /// Whether a step comes before the one under way in every order that a reduction knows of.
  private func isKnown(_ earlier: Int) -> Bool {
    var (open, known): ([Int], Set<Int>) = ([steps], [])
    while let step = open.popLast(), !known.contains(earlier) {
      open += predecessors[step].filter { $0 >= earlier && known.insert($0).inserted }
    }
    return known.contains(earlier)
  }

  // MARK: Shared variables and resources

  /// The running step uses a shared variable.
  func access(_ object: ObjectID, _ name: String, isWrite: Bool) {
    if running != nil { races.access(object, name, isWrite: isWrite) }
  }

  func acquire(_ resource: ObjectID, by strand: StrandID) {
    objects.holders[resource] = strand
    races.acquire(resource)
  }

  func release(_ resource: ObjectID) {
    objects.holders[resource] = nil
    races.release(resource)
  }

  // MARK: The end

  /// Whether a task waits for something that another thread might bring about.
  var mayAwaitOthers: Bool {
    cycle == nil
      && strands.unfinished.contains { strand in
        !agenda.operations.contains { $0.strand == strand }
      }
  }

  /// Completes the report.
  func finish() {
    report.unfinished = unfinished
    if !report.unfinished.isEmpty { report.cycle = cycle }
    report.names = strands.names
    report.races = races.findRaces()
    report.blocked = agenda.operations.compactMap { strand, operation in
      let causes = operation.events.map { objects.events[$0] }
      guard !causes.contains(nil) else { return nil }
      return Step(
        strand: strand, predecessors: causes.compactMap { $0 }, accesses: operation.accesses,
        operation: operation)
    }
  }
}
