import Foundation
import Synchronization

#if canImport(Glibc)
  @_spi(ExperimentalScheduling) import _Concurrency
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Receives every job of a scenario and runs one at a time, in the order that a search picks.
///
/// A *step* is what a task does from one suspension to the next. Jobs that only stand for others, such
/// as an actor's job to serve its queue, are no steps: the executor takes the queue instead, so that
/// each task in it is a step of its own.
final class ScenarioExecutor: TaskExecutor, @unchecked Sendable {
  // Sendable: one thread makes the executor and calls it; what other threads may use (`escapes`, the
  // atomics and `enqueue`) is synchronised by itself.

  let options: Options
  let runtime: SwiftRuntime.Layout?
  private(set) lazy var mainQueue = MainQueue(self)

  // MARK: State of one execution

  var strands = StrandTable()
  private var actors = ActorTable()
  /// Whether this execution tells a dead actor from a new one at its address. It is decided before the first
  /// step: an actor that was met before would be taken for two.
  private var tracksActors = false
  var footprint = Footprint()
  var agenda = Agenda()
  var blocking = Blocking()
  private var timerTasks: Set<TaskReference> = []
  private var lastStepOn: [Place: Int] = [:]
  private var arrivals: [Escapes.Arrival] = []
  private(set) var running: Int?
  private(set) var runningPlace = Place.free
  private(set) var steps = 0
  var now = 0
  /// Whether some task of the scenario has slept, so that the time of each step matters.
  private var readsTime = false
  private var stepBegan = ContinuousClock.now
  /// A reading of the clock was too late to tell how long a task sleeps; the execution is repeated.
  private(set) var isUnsure = false
  private var hasMixedPriorities = false
  private var rootPriority: UInt8?
  private(set) var choices: [Int] = []
  /// How often the turn passed from one strand to another.
  private(set) var switches = 0
  private(set) var digest = Digest()
  private var previous: Int?
  /// What code of ours noticed during this execution.
  var findings: [Finding] = []
  /// Which task holds a resource, and which resource each waiting task wants.
  var holders: [Resource.ID: Int] = [:]
  var wants: [Int: Resource] = [:]

  private(set) var brokenAssumption: String?

  var recorder: Recorder?
  let races = RaceDetector()

  /// Whether the optimal reduction does not fit: beside strands that block tasks have taken steps, of the
  /// scenario itself more than the first; or time passes when nothing else can go on, which no two steps
  /// alone decide.
  var needsEverySchedule = false

  /// How the execution ended; nil while it has not.
  var ending: Ending?
  private var divergence: Divergence?
  // The search whose execution this is.
  private var choose: ((SchedulingPoint) throws(Divergence) -> Int)?
  private var observe: ((Step) -> Void)?

  /// Explores anew, with strands on threads of their own, and does not return; set by who can.
  var startOver: (() -> Never)?

  /// What other threads do to the scenario.
  let escapes = Escapes()

  /// Whether a step is under way, for the watchdog.
  let isInStep = Atomic(false)
  /// How many steps were begun, ever: what the watchdog looks at.
  let heartbeat = Atomic(0)

  init(options: Options) {
    self.options = options
    runtime = options.usesRuntimeLayout ? SwiftRuntime.layout : nil
  }

  /// What of a scenario is not under control on this runtime, in words; nil if all is.
  var missingControl: String? {
    if runtime == nil {
      return
        "the layout of tasks and actors is not the known one, so what waits for one actor runs in "
        + "one step and tasks left behind are not seen"
    }
    if !SwiftRuntime.hasHooks { return "Task { }, Task.detached and the main actor are not caught" }
    return nil
  }

  // MARK: The main actor

  /// The executor of the main actor. Explorations that use it take turns, since main-actor code may
  /// share global state.
  func mainExecutor() -> UnownedSerialExecutor {
    if !holdsMain {
      let wasInStep = isInStep.exchange(false, ordering: .relaxed)
      // A blocked exploration keeps its turn; nobody waits for it for ever.
      holdsMain = Self.mainTurn.lock(before: .now + 60)
      isInStep.store(wasInStep, ordering: .relaxed)
    }
    return mainQueue.asUnownedSerialExecutor()
  }

  private static let mainTurn = NSLock()
  private var holdsMain = false
  private var leavesTasks = false

  // MARK: Arrivals

  func enqueue(_ job: consuming ExecutorJob) {
    receive(UnownedJob(job))
  }

  /// A job of the scenario is ready, made so by a step or, where it has escaped, by another thread.
  func receive(_ job: UnownedJob, isOnMain: Bool = false) {
    let arrival = Escapes.Arrival(job: job, isOnMain: isOnMain)
    if SwiftRuntime.current === self {
      arrivals.append(arrival)
    } else {
      escapes.receive(arrival)
    }
  }

  /// Takes in what other threads made ready; returns whether there was any.
  private func admitEscaped() -> Bool {
    let escaped = escapes.take()
    guard !escaped.isEmpty else { return false }
    arrivals += escaped
    settle()
    return true
  }

  /// A task goes to sleep.
  ///
  /// - Parameter isExact: Whether no time has gone by since the task said for how long.
  func sleep(_ job: UnownedJob, for duration: Duration, isExact: Bool) {
    guard SwiftRuntime.current === self, let running else { return receive(job) }
    var milliseconds = duration.milliseconds
    if !isExact {
      let said = readsTime ? duration.asSaid(late: ContinuousClock.now - stepBegan) : nil
      if said == nil { isUnsure = true }
      milliseconds = said ?? milliseconds
      readsTime = true
    }
    // An immediate task sleeps within a step of the task that began it.
    let sleeper = runtime == nil ? running : TaskReference.current.map { strand(of: $0) } ?? running
    timerTasks.insert(TaskReference(job))
    let deadline = now + max(0, milliseconds)
    recorder?.note(.sleeps(untilMilliseconds: deadline))
    agenda.add(
      Agenda.Timer(job: job, strand: sleeper, deadline: deadline, cause: steps))
    footprint.touch(.arm, .clock)
  }

  // MARK: One execution

  /// Runs the scenario once.
  ///
  /// - Returns: How it ended; its outcome is in `result`.
  func execute<S: Search>(
    _ search: inout S, root: @escaping @Sendable () async -> Void
  ) throws(Divergence) -> Ending {
    reset()
    footprint.isKept = search.needsAccesses
    if footprint.isKept { races.watch() }
    tracksActors = footprint.isKept || races.isWatching || recorder != nil
    Task(executorPreference: self) { await root() }
    settle()
    withUnsafeMutablePointer(to: &search) { search in
      // The pointer is good until the execution has ended; then the two closures are dropped.
      choose = { point throws(Divergence) in try search.pointee.choose(point) }
      observe = { search.pointee.observe($0) }
      if options.usesCarriers {
        runOnCarriers()
      } else {
        while let candidate = next() { take(candidate) }
      }
      choose = nil
      observe = nil
    }
    if let divergence { throw divergence }
    return ending ?? .quiet
  }

  /// What is done next, as the search says; nil if the execution has ended.
  func next() -> Agenda.Candidate? {
    while ending == nil {
      if admitEscaped() { continue }
      let candidates = agenda.candidates(options.time, readiness)
      guard !candidates.isEmpty else {
        if waitForEscaped() { continue }
        ending = .quiet
        break
      }
      guard steps < options.steps else {
        // What would go on for ever cannot be unwound.
        ending = .stepLimit
        break
      }
      var pick = 0
      let isChoice = candidates.count > 1
      if isChoice || footprint.isKept, divergence == nil, !isUnsure {
        let point = SchedulingPoint(
          strands: candidates.map(\.strand), previous: pendingStrand(previous),
          knownObjects: actors.count,
          triesAll: hasMixedPriorities || options.time == .passesWhenIdle && candidates[0].isTimer)
        do {
          pick = try choose!(point)
        } catch {
          divergence = error
        }
        if isChoice {
          choices.append(pick)
        }
      }
      return candidates[pick]
    }
    return nil
  }

  /// The strand, if it could go on at once: one that sleeps could not.
  private func pendingStrand(_ strand: Int?) -> Int? {
    strand.flatMap { agenda.isReady($0) ? $0 : nil }
  }

  /// Does what is next, on the calling thread.
  func take(_ candidate: Agenda.Candidate) {
    let strand = candidate.strand
    if options.usesCarriers, steps > 0, !candidate.isStart { needsEverySchedule = true }
    switch candidate.index {
    case .job(let index):
      let job = agenda.takeJob(at: index)
      begin(strand, place: job.place, cause: job.cause)
      run(job.job, of: strand)
    case .request(let index):
      let request = agenda.takeRequest(at: index)
      begin(strand, place: request.origin, cause: -1)
      add(request.job, strand: strand, place: request.place)
    case .timer(let index):
      let timer = agenda.takeTimer(at: index)
      now = max(now, timer.deadline)
      begin(strand, place: .free, cause: timer.cause, isAfterAll: options.time == .passesWhenIdle)
      // Where work takes no time, the first of two sleepers with one deadline does all its work first.
      footprint.touch(options.time == .passesWhenIdle ? .write : .fire, .clock)
      timer.job.runSynchronously(on: asUnownedTaskExecutor())
      // The sleeper goes on in the same step, so that sleepers run in the order of their deadlines.
      if let own = settle() { run(own, of: strand) }
    case .start(let index):
      let start = agenda.takeStart(at: index)
      begin(strand, place: .free, cause: start.cause)
      start.body()
      settle()
      completeThread(strand)
    case .operation: preconditionFailure("an operation is done by who waits for it")
    }
    end(strand)
  }

  func begin(
    _ strand: Int, place: Place, cause: Int, after others: [Int] = [], isAfterAll: Bool = false
  ) {
    defer { if readsTime { stepBegan = .now } }
    footprint.begin()
    heartbeat.wrappingAdd(1, ordering: .relaxed)
    running = strand
    runningPlace = place
    hasLetGo = false
    isInStep.store(true, ordering: .relaxed)
    digest.add(strands[strand].rank)
    digest.add(place == .free ? 0 : place == .main ? 1 : 2)
    recorder?.begin(step: steps, strand: strand, place: place, of: self)
    guard footprint.isKept || races.isWatching else { return }
    var causes = others
    if cause >= 0 { causes.append(cause) }
    if strands[strand].lastStep >= 0 { causes.append(strands[strand].lastStep) }
    if place != .free, let last = lastStepOn[place] { causes.append(last) }
    if isAfterAll { causes += strands.born.map { strands[$0].lastStep }.filter { $0 >= 0 } }
    footprint.predecessors = causes
    lastStepOn[place] = steps
    races.begin(step: steps, strand: strand, after: causes)
    // A strand that blocks touches nothing but what its operation says.
    guard footprint.isKept, !strands[strand].isThread else { return }
    footprint.touch(.read, .world)
    if strands[strand].children > 0 { footprint.touch(.read, .children(of: strand)) }
    if hasMixedPriorities { footprint.touch(.write, .world) }
  }

  /// Runs a job and whatever belongs to the same step.
  private func run(_ job: UnownedJob, of strand: Int) {
    let task = strands[strand].task
    task?.retain()
    defer { task?.release() }
    var next: UnownedJob? = job
    while let current = next {
      switch runningPlace {
      case .free:
        current.runSynchronously(on: asUnownedTaskExecutor())
      case .main:
        current.runSynchronously(
          isolatedTo: mainQueue.asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      case .actor(let index):
        current.runSynchronously(
          isolatedTo: actors[index].object.unownedExecutor, taskExecutor: asUnownedTaskExecutor())
      }
      recorder?.leave(of: self)
      next = settle()
    }
    guard runtime != nil else { return }
    if task?.isComplete ?? !agenda.isReady(strand) { complete(strand) }
  }

  func end(_ strand: Int) {
    strands[strand].lastStep = steps
    noteCancellations()
    if footprint.isKept { learn(strand) }
    recorder?.end(strand: strand, of: self)
    if let previous, previous != strand { switches += 1 }
    previous = strand
    running = nil
    isInStep.store(false, ordering: .relaxed)
    steps += 1
    guard footprint.isKept, divergence == nil, !isUnsure else { return }
    observe?(
      Step(
        strand: strand, predecessors: footprint.predecessors, accesses: footprint.accesses,
        replacesAnother: footprint.replacesAnother, operation: footprint.operation,
        result: footprint.result))
  }

  private func complete(_ strand: Int) {
    strands[strand].isComplete = true
    if let task = strands[strand].task, !strands[strand].hasPreference { Fugitives.remove(task) }
    guard footprint.isKept, let parent = strands[strand].parent else { return }
    if strands[strand].task == nil { return footprint.touch(.write, .world) }
    if strands[strand].isChild {
      footprint.touch(strands[strand].isGroupChild ? .write : .post, .children(of: parent))
    } else {
      footprint.touch(.post, .world)
    }
  }

  /// Sorts what came during a step. Returns the running task's own job if the task did not suspend
  /// but was sent around by the runtime.
  @discardableResult
  func settle() -> UnownedJob? {
    var own: UnownedJob?
    func place(_ job: UnownedJob, at place: Place) {
      let strand = strand(of: job)
      // A task without a preference differs from its thread in that, so the runtime sends it to where
      // it already is.
      if strand == running, place == runningPlace, own == nil, !isYielding {
        own = job
      } else {
        add(job, strand: strand, place: place)
      }
    }
    var next = 0
    while next < arrivals.count {
      let arrival = arrivals[next]
      next += 1
      let job = arrival.job
      guard let runtime else {
        add(job, strand: strand(of: job), place: arrival.isOnMain ? .main : .free)
        continue
      }
      if job.isTask(in: runtime) {
        let task = TaskReference(job)
        if timerTasks.contains(task) {
          task.retain()
          job.runSynchronously(on: asUnownedTaskExecutor())
          if task.isComplete { timerTasks.remove(task) }
          task.release()
        } else {
          place(job, at: arrival.isOnMain ? .main : .free)
        }
      } else if let actor = job.drainedActor(in: runtime) {
        let target = Place.actor(actors.index(of: actor, isTracked: tracksActors))
        for queued in actor.takeJobs() { place(queued, at: target) }
        // With nothing in its queue the actor comes to rest.
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if job.isContinuation(in: runtime), runningPlace == .free {
        recorder?.note(.yields)
        isYielding = true
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if job.isContinuation(in: runtime), let running {
        recorder?.note(.yields)
        add(job, strand: running, place: .free)
      } else {
        // What is no task, such as an isolated deinitializer, is a strand of its own.
        add(job, strand: strand(of: job), place: arrival.isOnMain ? .main : .free)
      }
    }
    arrivals.removeAll(keepingCapacity: true)
    isYielding = false
    return own
  }

  /// Whether the step under way has begun another task or let one go on.
  private var hasLetGo = false

  /// Whether the step under way has cancelled a task.
  private var hasCancelled: Bool {
    runtime != nil
      && strands.born.contains { strand in
        !strands[strand].isComplete && !strands[strand].wasCancelled
          && strands[strand].task?.isCancelled == true
      }
  }

  /// Whether the running task has asked for its own job.
  private var isYielding = false

  /// The actor of a place, while it is alive and its execution is written down.
  func object(at place: Place) -> (any Actor)? {
    guard case .actor(let index) = place else { return nil }
    return actors.object(at: index)
  }

  private func strand(of job: UnownedJob) -> Int {
    let isTask = runtime.map { job.isTask(in: $0) } ?? false
    return isTask ? strand(of: TaskReference(job)) : bear(nil)
  }

  private func strand(of task: TaskReference) -> Int {
    strands.strand(of: task) ?? bear(task)
  }

  /// A new strand, named by its parent and by how many that has had, which holds in every execution.
  func bear(_ task: TaskReference?) -> Int {
    // A task that began within another's step is not for that one to await.
    let parent = task?.parent.map { strand(of: $0) } ?? running
    let id = strands.bear(task, parent: parent)
    if let task {
      if !strands[id].hasPreference { Fugitives.add(task, of: self) }
      let priority = task.priority
      if let rootPriority, rootPriority != priority, !hasMixedPriorities {
        hasMixedPriorities = true
        footprint.touch(.write, .world)
      }
      rootPriority = rootPriority ?? priority
    }
    recorder?.born(id, of: self)
    return id
  }

  private func add(_ job: UnownedJob, strand: Int, place: Place) {
    if strand != running {
      hasLetGo = true
    } else if place != .free, hasLetGo || hasCancelled {
      return agenda.add(
        Agenda.Request(job: job, strand: strand, place: place, origin: runningPlace))
    }
    agenda.add(
      Agenda.Job(
        job: job, strand: strand, place: place,
        priority: UInt8(truncatingIfNeeded: job.priority.rawValue),
        cause: running == nil ? strands[strand].lastStep : steps))
    // A sleeper that is woken otherwise leaves its timer behind.
    if strand != running, let stale = agenda.takeTimer(of: strand) {
      footprint.replacesAnother = true
      stale.job.runSynchronously(on: asUnownedTaskExecutor())
    }
    if strand != running { recorder?.note(.resumes(strand)) }
    guard footprint.isKept else { return }
    switch place {
    case .free: break
    case .main: footprint.touch(.write, .main)
    case .actor(let index): footprint.touch(.write, object: index)
    }
    if strand != running { checkAssumption(strand) }
  }

  // MARK: Learning what a step touched

  /// After a step: which tasks did it cancel, or raise in priority?
  private func noteCancellations() {
    guard runtime != nil else { return }
    for other in strands.born where !strands[other].isComplete {
      guard let task = strands[other].task else { continue }
      if footprint.isKept, task.priority != strands[other].priority {
        strands[other].priority = task.priority
        hasMixedPriorities = true
        footprint.touch(.write, .world)
      }
      guard !strands[other].wasCancelled, task.isCancelled else { continue }
      strands[other].wasCancelled = true
      // Its children are cancelled, too, also those that have ended and might have seen it.
      footprint.touch(.write, .world)
    }
  }

  /// After a step: what does its task wait for?
  private func learn(_ strand: Int) {
    if !strands[strand].isComplete {
      strands[strand].waitsForContinuation = strands[strand].task?.wait == .continuation
    }
  }

  /// Notes that a task was resumed by a step that nothing visible puts after its wait: a stream, a
  /// lock or an atomic must join the two.
  private func checkAssumption(_ strand: Int) {
    guard brokenAssumption == nil, let running, strands[strand].waitsForContinuation,
      let task = strands[strand].task, strands[strand].wasCancelled || !task.isCancelled,
      !races.isOrdered(strands[strand].lastStep, of: strand)
    else { return }
    brokenAssumption =
      "\(name(of: running)) resumed \(name(of: strand)), which no actor and no Shared had told it of"
  }

  // MARK: Shared variables

  /// Numbers a shared variable that the running step makes, the same in every execution.
  func makeVariable() -> Int { footprint.variable(madeBy: running) }

  /// The number of a shared variable that was made outside the scenario and outlives it.
  func number(of variable: ObjectIdentifier) -> Int { footprint.variable(variable) }

  /// A shared variable is about to be used. Where strands block that is a step; else a task does all that
  /// it does without suspending in one.
  func access(_ mode: Access.Mode, _ object: Int, _ name: String) {
    guard let running else { return }
    if options.usesCarriers {
      perform(
        VisibleOperation([.init(mode == .read ? .read : .write, object, initially: .variable)]))
    } else {
      footprint.touch(mode, object: object)
    }
    races.access(object, name, isWrite: mode == .write, strand: running)
  }

  /// Writes down what a shared variable was or is.
  func note<Value>(_ use: SharedUse, _ name: String, _ object: Int, _ value: Value) {
    guard running != nil else { return }
    recorder?.note(.uses(use, variable: name, object: object, value: describe(value)))
  }

  // MARK: Names

  /// The name that the task was given, or its place in the tree of tasks.
  func name(of strand: Int) -> String { recorder?.name(of: strand) ?? strands.path(of: strand) }

  // MARK: Ends

  enum Ending: Equatable {
    case quiet
    case stepLimit
  }

  /// The tasks that have begun and not ended, where that can be seen.
  var unfinished: [Int] { runtime == nil ? [] : strands.unfinished }

  /// Gives other threads a little time, once, if the scenario stands still and might wait for one.
  private func waitForEscaped() -> Bool {
    guard !hasWaited, cycle == nil,
      strands.unfinished.contains(where: { strand in
        !agenda.pending.contains { $0.strand == strand }
      })
    else {
      return admitEscaped()
    }
    hasWaited = true
    let end = ContinuousClock.now + options.patience / 20
    repeat {
      if admitEscaped() { return true }
      usleep(1000)
    } while .now < end
    return false
  }
  private var hasWaited = false

  /// How many executions were begun.
  private(set) var executions = 0

  /// Releases what the execution kept of the scenario, whose code may run then.
  private func release() {
    running = nil
    while true {
      let kept = (agenda.takeStarts(), blocking.takeAttachments())
      if kept.0.isEmpty, kept.1.isEmpty { return }
    }
  }

  private func reset() {
    executions += 1
    release()
    for strand in unfinished {
      leavesTasks = true
      if let task = strands[strand].task, !strands[strand].hasPreference { Fugitives.remove(task) }
    }
    strands.reset()
    agenda.reset()
    if !timerTasks.isEmpty { timerTasks = [] }
    actors.reset()
    _ = escapes.take()
    if !lastStepOn.isEmpty { lastStepOn.removeAll(keepingCapacity: true) }
    footprint.reset()
    if !findings.isEmpty { findings = [] }
    if !holders.isEmpty { holders = [:] }
    if !wants.isEmpty { wants = [:] }
    blocking.reset()
    choices.removeAll(keepingCapacity: true)
    arrivals.removeAll(keepingCapacity: true)
    ending = nil
    divergence = nil
    previous = nil
    steps = 0
    now = 0
    switches = 0
    isUnsure = false
    hasMixedPriorities = false
    rootPriority = nil
    digest = Digest()
    races.reset()
  }

  func finish() {
    reset()
    blocking.finish()
    isInStep.store(false, ordering: .relaxed)
    if holdsMain { Self.mainTurn.unlock() }
    // A task that was left behind may come to life on another thread and asks for this executor.
    if leavesTasks { _ = Unmanaged.passRetained(self) }
    escapes.close()
  }
}
