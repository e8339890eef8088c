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
    /// Whether nobody sees it, so that it is tried in one place only.
    let isHidden: Bool
    /// Whether others can see something of it: it has begun another task, let one go on or done an operation.
    var hasActed = false
    /// Whether its task has asked for its own job.
    var isYielding = false
  }

  private let options: Options
  /// Whether the layout of tasks is known.
  let seesTasks: Bool
  // Unchecked where every step needs it several times: one thread has the turn, and no method of a part calls
  // out, so that no two accesses overlap. Checked, it costs a sixth of an exploration.
  // Tables cannot be copied, as the compiler would for each closure that reads one: a reference more to each part of it.
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
  let races: RaceDetector
  @exclusivity(unchecked) var actors = ActorTable(isTracking: false)
  @exclusivity(unchecked) var objects = ObjectTable()
  @exclusivity(unchecked) var clock = VirtualClock()
  /// Of each step, those that come before it in every order that a reduction knows of, but for conflicts.
  @exclusivity(unchecked) private var predecessors: [[Int]] = []
  @exclusivity(unchecked) private var lastStepsOn: [Isolation: [Int]] = [:]
  /// Of each object, the last step that has used it.
  @exclusivity(unchecked) private var lastUses: [ObjectID: Int] = [:]
  /// What of awaiting and of bookkeeping has an order.
  var supply = Report.Orders.classes
  /// Whether whoever takes the lock of a task's status says so.
  var ordersStatuses: Bool { supply.contains(.ofStatuses) }
  private var ordersAwaiting: Bool { supply.contains(.ofAwaiting) }

  init(_ options: Options, seesTasks: Bool) {
    self.options = options
    races = RaceDetector(findsLines: options.findsLines)
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
    begunAtOnce.removeAll(keepingCapacity: true)
    hasHeldLocks = false
    lastInLine = nil
    locksReadAgain = []
    locksWritten = []
    races.reset(isPossible: options.seesOrder, isNeeded: isReduced)
    predecessors.removeAll(keepingCapacity: true)
    actors = ActorTable(isTracking: keepsSteps || races.isWatching || isRecorded)
    objects.reset()
    clock.reset()
    report = Report()
    current = nil
    steps = 0
    previous = nil
    if !lastStepsOn.isEmpty { lastStepsOn.removeAll(keepingCapacity: true) }
    if !lastUses.isEmpty { lastUses.removeAll(keepingCapacity: true) }
  }

  /// Whether locks within libraries have been held in this execution by strands that waited for their turn.
  private var hasHeldLocks = false

  /// Whether locks are tried, so that it matters what others do before an unlocking.
  var triesLocks = false

  /// Whether schedules are told from one another by the order of what strands can see of each other, and by
  /// nothing else: whatever nobody sees is done as soon as it can be.
  var isReduced = false

  // MARK: What could be done

  /// The strand whose step is under way.
  var running: StrandID? { current?.strand }

  /// What can go on, once as much time has passed as that needs.
  func findCandidates() -> [Agenda.Candidate] {
    while true {
      let (candidates, nextMoment) = candidatesNow
      guard candidates.isEmpty, let nextMoment, !clock.hasReached(nextMoment) else {
        return candidates
      }
      passTime(to: nextMoment)
    }
  }

  private func passTime(to moment: Int) {
    clock.pass(
      .init(
        moment: moment, steps: steps,
        lastSteps: keepsSteps ? strands.born.compactMap { strands[$0].lastStep } : []))
    races.release(.clock, of: strands.takeActive())
  }

  private var candidatesNow: (ready: [Agenda.Candidate], nextMoment: Int?) {
    var (candidates, nextMoment) = agenda.candidates(options.time, at: clock) {
      objects.readiness(of: $0)
    }
    if lastInLine != nil { candidates.removeAll { waitsForMainThread($0) } }
    if hasHeldLocks { candidates.removeAll { isHeldBack($0) } }
    if ordersAwaiting { candidates.removeAll { hasToUnlock($0) } }
    let prompt = candidates.first { agenda.entries[$0.index].isPrompt || isHidden($0) }
    return (prompt.map { [$0] } ?? candidates, nextMoment)
  }

  /// Whether a job of the main actor's cannot run yet: something is before it, or somebody is on the main thread.
  private func waitsForMainThread(_ candidate: Agenda.Candidate) -> Bool {
    guard let place = agenda.place(of: candidate) else { return false }
    if let before = place.after, objects.events[before] == nil { return true }
    return objects.states[.mainThread] == .lock(isHeld: true)
  }

  /// Whether a task that was woken cannot go on, since another is in the midst of cancelling it.
  private func isHeldBack(_ candidate: Agenda.Candidate) -> Bool {
    switch agenda[candidate.index] {
    case .run, .wake:
      strands[candidate.strand].task?.isDependent == true
        && objects.holders[.status(of: candidate.strand)] != nil
    default: false
    }
  }

  /// Whether a task that was woken has yet to do an operation: to unlock is noticed where it suspends.
  private func hasToUnlock(_ candidate: Agenda.Candidate) -> Bool {
    guard case .run = agenda[candidate.index] else { return false }
    return agenda.operations.contains { $0.strand == candidate.strand }
  }

  /// Whether the step that could be next is seen by nobody.
  func isHidden(_ candidate: Agenda.Candidate) -> Bool {
    guard isReduced, !ordersAwaiting, case .run = agenda[candidate.index],
      // Others see who is on the main thread.
      agenda.place(of: candidate) == nil
    else { return false }
    return !passesStatus(candidate.strand)
  }

  /// Whether a task that goes on takes the lock of its status first, which who cancels it may hold while others go on.
  ///
  /// Nobody can cancel the scenario itself.
  func passesStatus(_ strand: StrandID) -> Bool {
    guard strands[strand].parent != nil, let task = strands[strand].task else { return false }
    return task.isDependent && task.hasMoreToCancel
  }

  /// What a task does first that goes on so.
  func beginByPassingStatus(of strand: StrandID) {
    _ = apply(
      VisibleOperation([
        .init(.passThrough, .status(of: strand), initially: .lock(isHeld: false))
      ]))
  }

  /// Whether an operation of the running strand needs no scheduling point before it: nothing that its step has done can
  /// be seen, or nobody else could go on.
  func goesOn(with operation: VisibleOperation) -> Bool {
    guard !isReduced, operation.ways == 1, let current, strands[current.strand].end == nil,
      objects.readiness(of: operation) == .now
    else { return false }
    return !current.hasActed || candidatesNow.ready.isEmpty
  }

  /// What a search is asked when it must choose among candidates, or among the ways of the only one.
  func point(_ candidates: [Agenda.Candidate]) -> SchedulingPoint {
    let ways = ways(of: candidates)
    return SchedulingPoint(
      strands: ways > 1
        ? Array(repeating: candidates[0].strand, count: ways) : candidates.map(\.strand),
      previous: previous.flatMap { agenda.isReady($0) ? $0 : nil },
      isHidden: isHidden(candidates[0]), isChoice: ways > 1)
  }

  /// In how many ways the only candidate may go on; 1 if there are several, since what may go on in several ways is prompt.
  func ways(of candidates: [Agenda.Candidate]) -> Int {
    guard candidates.count == 1, case .perform(let operation, _) = agenda[candidates[0].index]
    else { return 1 }
    return operation.ways
  }

  /// Which way the operation goes that is next to be done, if it may go several.
  @exclusivity(unchecked) var way = 0

  // MARK: Steps

  /// A step begins.
  ///
  /// - Parameters:
  ///   - causes: Steps that made this one possible.
  ///   - isHidden: Whether nobody sees what it does.
  func begin(
    _ strand: StrandID, on isolation: Isolation, after causes: [Int] = [], isHidden: Bool = false
  ) {
    current = Current(strand: strand, isolation: isolation, isHidden: isHidden)
    strands[strand].begun += 1
    report.digest.add(strands[strand].rank)
    report.digest.add(isolation == .nonisolated ? 0 : isolation == .main ? 1 : 2)
    if races.isWatching {
      races.setAsker(strands[strand].asker)
      races.begin(strand, in: steps)
      if let object = object(of: isolation) { races.acquire(object) }
    }
    guard keepsSteps else { return }
    step = Step(strand: strand)
    step.isHidden = isHidden
    step.predecessors = causes + strands[strand].debts
    if let last = strands[strand].lastStep { step.predecessors.append(last) }
    strands[strand].debts = []
    if isolation != .nonisolated, let last = lastStepsOn[isolation] { step.predecessors += last }
    predecessors.append(step.predecessors)
  }

  func touch(_ mode: Access.Mode, _ object: ObjectID) {
    // Where time passes only when nothing else can go on, all that was comes before its passing anyway.
    guard keepsSteps, object != .clock || options.time == .passesAtAnyStep else { return }
    step.touch(mode, object)
    if let last = lastUses[object], last != steps { predecessors[steps].append(last) }
    lastUses[object] = steps
  }

  /// The actor that an isolation is to; nil if it is to none.
  func object(of isolation: Isolation) -> ObjectID? {
    switch isolation {
    case .nonisolated: nil
    case .main: .main
    case .actor(let number): actors.object(at: number)
    }
  }

  /// A strand waits to do something that others see.
  func add(_ operation: VisibleOperation, of strand: StrandID, on isolation: Isolation) {
    agenda.add(strand, .perform(adapted(operation), on: isolation))
  }

  /// An operation as it is done in this exploration.
  private func adapted(_ operation: VisibleOperation) -> VisibleOperation {
    var operation = operation
    if options.time == .passesWhenIdle { operation.waitsForIdle = true }
    if supply.contains(.ofBookkeeping) {
      for index in operation.uses.indices {
        switch operation.uses[index].action {
        case .enter: operation.uses[index].mode = .enter
        case .leave where supply.contains(.ofLeaving): operation.uses[index].mode = .write
        default: break
        }
      }
    }
    return operation
  }

  /// Does the operation that the step under way begins with.
  ///
  /// - Parameter isWithin: Whether the step did not begin with it, and goes on with what it began with and this.
  func apply(_ operation: VisibleOperation, isWithin: Bool = false) -> VisibleOperation.Result {
    let result = objects.apply(operation, by: running!)
    for event in operation.events { races.acquire(event) }
    for use in operation.uses {
      touch(use.mode, use.object)
      if case .expire(let moment) = use.action {
        let isOver = result == .timedOut || !operation.givesUp
        if isOver { clock.advance(to: moment) }
        if keepsSteps, operation.waitsForIdle, let passage = clock.passage(to: moment) {
          step.passage = passage.steps
          if isOver { predecessors[steps] += passage.lastSteps }
        }
      }
      guard result == .done else { continue }
      if use.action.acquires { races.acquire(use.object) }
      if use.action.releases { races.release(use.object) }
    }
    if keepsSteps {
      if isWithin, step.operation != nil {
        step.operation!.uses += operation.uses
      } else {
        (step.operation, step.result) = (operation, result)
      }
      if operation.ways > 1 { step.way = way }
    }
    current?.hasActed = true
    return result
  }

  /// A sleeper's timer is set.
  ///
  /// - Returns: Its deadline.
  func arm(_ job: UnownedJob, of strand: StrandID, milliseconds: Int) -> Int {
    let deadline = clock.now + milliseconds
    agenda.add(strand, after: causes, .wake(job, at: deadline))
    _ = apply(arming(strand, at: deadline))
    return deadline
  }

  /// What a strand does that goes to sleep.
  private func arming(_ strand: StrandID, at deadline: Int) -> VisibleOperation {
    VisibleOperation([
      .init(.arm(deadline), .clock, initially: .clock([])),
      .init(.read, .status(of: strand), initially: .lock(isHeld: false)),
    ])
  }

  /// What a sleeper does when its time has come.
  private func waking(_ strand: StrandID, at deadline: Int) -> VisibleOperation {
    var operation = VisibleOperation([
      .init(.expire(deadline), .clock, initially: .clock([])),
      .init(.passThrough, .status(of: strand), initially: .lock(isHeld: false)),
    ])
    operation.waitsForIdle = options.time == .passesWhenIdle
    return operation
  }

  /// A sleeper's step begins. Where time passes only when nothing else can go on, it sees what was done before.
  func wake(_ strand: StrandID, at deadline: Int) {
    if options.time == .passesWhenIdle { races.acquire(.clock) }
    _ = apply(waking(strand, at: deadline))
  }

  /// Ends the step under way.
  ///
  /// - Returns: What a search is to be told, if it wants to be.
  func end() -> Step? {
    guard let current else { return nil }
    let strand = current.strand
    strands[strand].lastStep = steps
    if let object = object(of: current.isolation) { races.release(object) }
    if seesTasks {
      for cancelled in strands.noticeChanges(withPriorities: keepsSteps) {
        touch(.write, .status(of: cancelled))
      }
      if strands.hasMixedPriorities { report.demand.addAll("tasks differ in priority") }
    }
    if keepsSteps {
      let awaited = races.awaited
      checkBegunAtOnce()
      strands[strand].debts += awaited
      if current.isolation != .nonisolated {
        noteAwaiting()
        lastStepsOn[current.isolation] = [steps] + awaited
      }
      if !strands[strand].isComplete {
        strands[strand].waitsForContinuation = strands[strand].task?.wait == .continuation
      }
    }
    if let previous, previous != strand { report.switches += 1 }
    previous = strand
    self.current = nil
    steps += 1
    return keepsSteps ? step : nil
  }

  /// The running strand has awaited something on an actor. If it was there, nobody else came to the actor, as somebody may
  /// where it was not.
  private func noteAwaiting() {
    guard isReduced, let strand = running else { return }
    func use(_ object: ObjectID) {
      report.demand.add(.ofAwaiting)
      if ordersAwaiting { touch(.read, object) }
    }
    // Who takes from a group says so in a step; and a continuation is resumed by who was told of it before.
    for other in races.ended { use(.end(of: other)) }
    if !strands[strand].isComplete, case .task(let other)? = strands[strand].task?.wait,
      let other = strands.strand(of: other)
    {
      use(.end(of: other))
    }
  }

  // MARK: Strands

  /// The tasks that run within another's step and have not suspended yet.
  private(set) var begunAtOnce: [TaskReference] = []

  func beginAtOnce(_ task: TaskReference) { begunAtOnce.append(task) }

  func haveBegunAtOnce(_ task: TaskReference) {
    checkBegunAtOnce()
    begunAtOnce.removeAll { $0 == task }
  }

  /// A task that begins within another's step and finds that what it awaits is there goes on at once, before the other;
  /// where it suspends, it may go on after. So to end a task and to await it do not commute there.
  private func checkBegunAtOnce() {
    if keepsSteps, !begunAtOnce.isEmpty, races.awaitedCount != 0 {
      report.demand.addAll("a task that begins within another's step awaits something")
    }
  }

  /// A new strand, known by its parent and by how many that has had.
  func bear(_ task: TaskReference?) -> StrandID {
    // A task that began within another's step is not for that one to await.
    let parent = task?.parent.map { strand(of: $0) } ?? running
    let born = strands.bear(task, parent: parent)
    if let task { races.know(task, true) }
    return born
  }

  /// The strand of a task, which is new if it was not met before.
  func strand(of task: TaskReference) -> StrandID {
    strands.strand(of: task) ?? bear(task)
  }

  /// A new strand that a thread will carry, with the event of its end.
  /// - Parameter operation: What it does first, when that can be done; until then it is none that anybody waits for.
  func bearThread(
    _ name: String?, _ beginning: Beginning, with operation: VisibleOperation? = nil
  ) -> (strand: StrandID, end: ObjectID) {
    let strand = bear(nil)
    report.usesStandIns = true
    strands.nameThread(strand, name)
    let end = makeObject()
    strands[strand].end = end
    objects.holders[end] = strand
    races.begin(thread: strand)
    strands[strand].hasYetToBegin = operation != nil
    agenda.add(strand, after: causes, .start(beginning, with: operation.map { adapted($0) }))
    return (strand, end)
  }

  /// A new object of the running strand, which has the same identity in every execution.
  func makeObject() -> ObjectID { objects.make(by: running) }

  /// A strand has come to its end.
  func complete(_ strand: StrandID) {
    strands[strand].isComplete = true
    if let task = strands[strand].task {
      races.know(task, false)
      if ordersAwaiting, running != nil { touch(.write, .end(of: strand)) }
    }
    if let end = strands[strand].end { happen(end) }
  }

  /// The running strand does what would end the process.
  ///
  /// - Returns: The finding.
  func trap(_ reason: String, at place: Place?) -> Finding {
    let finding = Finding.trap(running!, reason: reason, at: place)
    report.findings.append(finding)
    report.hasTrapped = true
    // Who waits for a time would not have come so far.
    clock.stands = true
    if step.result == .refused,
      step.operation?.uses.contains(where: { $0.action == .leave }) == true
    {
      report.demand.add(.ofLeaving)
    }
    return finding
  }

  /// An event happens in the step under way; only the first time counts.
  func happen(_ event: ObjectID) {
    objects.events[event] = objects.events[event] ?? steps
    races.release(event)
  }

  // MARK: What becomes possible

  /// How much of what the step under way has awaited comes before what it makes ready now; nil if all does.
  var awaitedBefore: Int?

  /// The steps that come before what is made ready now.
  var causes: [Int] {
    guard keepsSteps, current != nil else { return [] }
    let awaited = races.awaited
    return [steps] + awaited.prefix(awaitedBefore ?? awaited.count)
  }

  /// A job is ready.
  ///
  /// Of a task that does `Task { await log.say("a") }` and then `await log.say("b")`, the new task may come to
  /// the actor first. Both would be in the actor's queue by the step's end, in the order of the code. So a task
  /// that has done something, and then asks for an actor, asks in a step of its own; and whom it wakes on an actor asks
  /// before the waker goes on.
  ///
  /// - Returns: The timer of a sleeper that is woken before its time and leaves it behind.
  func add(
    _ job: UnownedJob, of strand: StrandID, on isolation: Isolation
  ) -> UnownedJob? {
    let isOwn = strand == running
    var stale: UnownedJob?
    if !isOwn {
      stale = takeTimer(of: strand)
      checkAssumption(strand)
      // Who resumes it takes the lock of its status, too. A step that begins seen by nobody is tried in one place only, so
      // that it needs no order with who cancels: the resumed task's next step has one, and where the lock is met while it
      // is held, all is explored anew with the order of such locks.
      if passesStatus(strand) { useStatus(of: strand) }
    }
    if isolation != .nonisolated, let current, isReduced || current.hasActed {
      agenda.add(
        strand, after: causes, from: isOwn ? nil : current.strand,
        .ask(job, for: isolation, from: current.isolation))
    } else {
      enqueue(job, of: strand, on: isolation)
    }
    if !isOwn { current?.hasActed = true }
    return stale
  }

  /// An earlier step comes before the one under way in every order.
  private func comesAfter(_ earlier: Int) {
    step.predecessors.append(earlier)
    predecessors[steps].append(earlier)
  }

  /// The running strand has taken a lock in the step under way, besides what the step began with, and goes on to hold it.
  func hold(_ lock: ObjectID) {
    hasHeldLocks = true
    addUse(.init(.acquire, lock, initially: .lock(isHeld: false)))
  }

  /// The running strand has met a lock of a library's that another holds, and waits for it in a step of its own.
  ///
  /// Where it would not have been held, there would be no such step. Of a status that is known to every step that would
  /// take the lock, but for those that are tried in one place only.
  func meet(_ lock: ObjectID) {
    guard isReduced else { return }
    if case .status = lock {
      guard ordersStatuses else { return report.demand.add(.ofStatuses) }
      guard keepsSteps else { return }
      if !step.isHidden { return touch(.read, lock) }
    }
    report.demand.addAll("a strand meets \(objects.name(of: lock)) while another holds it")
  }

  /// Whether nobody sees the step under way.
  var isStepHidden: Bool { current?.isHidden == true }

  /// The running strand has found the lock of a task's status free, which is not so while somebody who cancels the task
  /// lets others go on.
  func useStatus(of strand: StrandID) {
    if !step.isHidden { touch(.read, .status(of: strand)) }
  }

  /// A stand-in makes a use in the step under way that the step did not begin with.
  ///
  /// - Parameter isAnnounced: Whether the step is a choice's, which touches nothing, and the one before has touched the object.
  func goOn(with use: VisibleOperation.Use, isAnnounced: Bool) {
    addUse(use, isAnnounced: isAnnounced)
    if use.action.acquires { races.acquire(use.object) }
    if use.action.releases { races.release(use.object) }
  }

  /// The step under way makes a use that it did not begin with.
  private func addUse(_ use: VisibleOperation.Use, isAnnounced: Bool = false) {
    _ = objects.apply(VisibleOperation([use]), by: running ?? .outside)
    if !isAnnounced { touch(use.mode, use.object) }
    if keepsSteps { step.operation = VisibleOperation((step.operation?.uses ?? []) + [use]) }
  }

  /// Whom a strand has woken asks for an actor: before the strand goes on, and before others come to where it is.
  func ends(stepOf maker: StrandID, on isolation: Isolation) {
    strands[maker].debts.append(steps)
    if keepsSteps, isolation != .nonisolated { lastStepsOn[isolation] = [steps] }
  }

  /// A job waits for its turn where it is to run.
  func enqueue(_ job: UnownedJob, of strand: StrandID, on isolation: Isolation) {
    let priority = UInt8(truncatingIfNeeded: job.priority.rawValue)
    agenda.add(
      strand, after: causes, at: isolation == .main ? joinLine(strand) : nil,
      .run(job, on: isolation, priority: priority))
    if let object = object(of: isolation) {
      touch(.write, object)
      current?.hasActed = true
    }
  }

  // MARK: The main thread

  /// The end of what is the last in line for the main thread; nil if nothing ever was.
  @exclusivity(unchecked) private var lastInLine: ObjectID?

  /// Whatever has an end is the next in line for the main thread.
  ///
  /// - Returns: The end of what it comes behind.
  func joinLine(_ end: ObjectID) -> ObjectID? {
    defer { lastInLine = end }
    return lastInLine
  }

  /// A job of the main actor's is the next in line.
  private func joinLine(_ strand: StrandID) -> Agenda.PlaceInLine {
    let end = makeObject()
    objects.name(end, "the main actor")
    objects.holders[end] = strand
    return Agenda.PlaceInLine(after: joinLine(end), end: end)
  }

  /// The step under way begins with a job of the main actor's.
  func enterMainThread(at place: Agenda.PlaceInLine) {
    if let before = place.after {
      races.acquire(before)
      if keepsSteps { comesAfter(objects.events[before]!) }
    }
    races.acquire(.mainThread)
    addUse(Self.useOfMainThread(.acquire))
    if !objects.isNamed(.mainThread) { objects.name(.mainThread, "the main thread") }
  }

  /// The job has come to its end.
  func leaveMainThread(at place: Agenda.PlaceInLine) {
    addUse(Self.useOfMainThread(.release))
    races.release(.mainThread)
    happen(place.end)
  }

  private static func useOfMainThread(_ action: Action) -> VisibleOperation.Use {
    .init(action, .mainThread, initially: .lock(isHeld: false))
  }

  /// A strand is woken; if it slept, before its time.
  private func takeTimer(of strand: StrandID) -> UnownedJob? {
    guard let (job, deadline) = agenda.takeTimer(of: strand) else { return nil }
    let replaced = deadline.map { waking(strand, at: $0) } ?? arming(strand, at: clock.now)
    step.replaced = Replacement(strand: strand, accesses: replaced.accesses)
    if let deadline { addUse(.init(.disarm(deadline), .clock, initially: .clock([]))) }
    return job
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

  /// Notes by its number which library asks what the strand's code answers from now on; 0 if none does.
  func setAsker(_ asker: UInt8, of strand: StrandID) {
    guard strand != .outside else { return }
    strands[strand].asker = asker
    races.setAsker(asker)
  }

  /// The number of the library that asks a strand.
  func asker(of strand: StrandID) -> UInt8 { strand == .outside ? 0 : strands[strand].asker }

  // MARK: The end

  /// Whether the scenario itself, which was born first, has come to its end.
  var isScenarioOver: Bool { strands.born.first.map { strands[$0].isComplete } ?? true }

  /// Whether a task waits for something that another thread might bring about.
  var mayAwaitOthers: Bool {
    cycle == nil
      && strands.unfinished.contains { strand in
        !agenda.operations.contains { $0.strand == strand }
      }
  }

  /// The locks that a strand has locked to read once more, and those that were locked to write.
  @exclusivity(unchecked) private var locksReadAgain: Set<ObjectID> = []
  @exclusivity(unchecked) private var locksWritten: Set<ObjectID> = []

  /// A lock of readers and a writer is about to be locked.
  func noteUse(of lock: ObjectID, isWrite: Bool) {
    if isWrite {
      locksWritten.insert(lock)
    } else if let running, objects.holders(of: lock).contains(running) {
      locksReadAgain.insert(lock)
    }
  }

  /// Completes the report.
  func finish() {
    report.lockReadAgain =
      locksReadAgain.intersection(locksWritten).map { objects.name(of: $0) }.min()
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
