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
  // Sendable: one thread makes the executor and calls it; what other threads may call
  // (`receiveFromElsewhere`) touches `elsewhere` only.

  /// Where a step runs.
  enum Place: Hashable {
    /// On no actor.
    case free
    case main
    case actor(Int)
  }

  /// A job that waits for its turn.
  struct Pending {
    let job: UnownedJob
    let strand: Int
    let place: Place
    let priority: UInt8
    /// The step that made it possible, or -1.
    let cause: Int
  }

  /// A task that sleeps.
  struct Timer {
    let job: UnownedJob
    let strand: Int
    /// In milliseconds of virtual time since the beginning of the execution.
    let deadline: Int
    let cause: Int
  }

  struct Strand {
    var task: TaskReference?
    var parent: Int?
    /// The how-manieth child of its parent it is, from 1.
    var ordinal = 0
    var children = 0
    var isComplete = false
    var isChild = false
    var isGroupChild = false
    var lastStep = -1
    var wasCancelled = false
    /// Whether the task prefers this executor; else only the hook brings it here.
    var hasPreference = true
    var waitsForContinuation = false
  }

  /// A job that came during a step.
  private struct Arrival {
    let job: UnownedJob
    let isOnMain: Bool
  }

  let options: Options
  let runtime: SwiftRuntime.Layout?
  private(set) lazy var mainQueue = MainQueue(self)

  // MARK: State of one execution

  private(set) var strands: [Strand] = []
  /// The strands of this execution in the order of their births.
  private var born: [Int] = []
  private(set) var pending: [Pending] = []
  private(set) var timers: [Timer] = []
  private var timerTasks: Set<TaskReference> = []
  /// The actors met so far; an actor's number is its place.
  private var actors: [ActorReference] = []
  /// The same ones, where it matters that a dead one's address may be another's.
  private var actorObjects: [WeakActor] = []
  private struct WeakActor {
    weak var object: AnyObject?
  }
  private var lastStepOn: [Place: Int] = [:]
  private var arrivals: [Arrival] = []
  private(set) var running: Int?
  private var runningPlace = Place.free
  private(set) var steps = 0
  private(set) var now = 0
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
  /// How many tasks were born outside any step: the first is the scenario itself.
  private var births = 0

  /// What code of ours noticed during this execution.
  var findings: [Finding] = []
  /// Which task holds a resource, and which resource each waiting task wants.
  var holders: [Resource.ID: Int] = [:]
  var wants: [Int: Resource] = [:]

  /// Names of strands and shared variables that hold in every execution.
  private var interned: [Birth: Int] = [:]
  private var internedObjects: [Origin: Int] = [:]
  private enum Origin: Hashable {
    case inside(Birth)
    case outside(ObjectIdentifier)
  }
  private struct Birth: Hashable {
    let parent: Int
    let ordinal: Int
  }

  /// What the step under way touches, where the search asks.
  private var accesses: [Access] = []
  private var stepCauses: [Int] = []
  private var isLearning = false
  private var objectsOf: [Int: Int] = [:]
  private(set) var brokenAssumption: String?

  var recorder: Recorder?
  let races = RaceDetector()

  private let elsewhere = Mutex<[(job: UnownedJob, isOnMain: Bool)]>([])
  private let escapesWait = Atomic(false)
  private let isDone = Atomic(false)
  private var admitted = 0
  private let noted = Atomic(0)
  /// How often another thread had a hand in the scenario.
  var escapes: Int { admitted + noted.load(ordering: .relaxed) }

  /// Another thread resumed a continuation of the scenario.
  func noteEscape() { noted.add(1, ordering: .relaxed) }

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
    let job = UnownedJob(job)
    if SwiftRuntime.current === self {
      arrivals.append(Arrival(job: job, isOnMain: false))
    } else {
      receiveFromElsewhere(job)
    }
  }

  /// A job without a preference of executor, on the scenario's thread.
  func receive(_ job: UnownedJob) {
    arrivals.append(Arrival(job: job, isOnMain: false))
  }

  func receiveOnMain(_ job: UnownedJob) {
    guard SwiftRuntime.current === self else { return receiveFromElsewhere(job, isOnMain: true) }
    arrivals.append(Arrival(job: job, isOnMain: true))
  }

  /// A job of the scenario that another thread made ready: it has escaped.
  func receiveFromElsewhere(_ job: UnownedJob, isOnMain: Bool = false) {
    if isDone.load(ordering: .acquiring) { return }
    elsewhere.withLock { $0.append((job, isOnMain)) }
    escapesWait.store(true, ordering: .releasing)
  }

  /// Takes in what other threads made ready; returns whether there was any.
  private func admitEscaped() -> Bool {
    let jobs = takeEscaped()
    arrivals += jobs.map { Arrival(job: $0.job, isOnMain: $0.isOnMain) }
    settle()
    return !jobs.isEmpty
  }

  private func takeEscaped() -> [(job: UnownedJob, isOnMain: Bool)] {
    guard escapesWait.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    let jobs = elsewhere.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    admitted += jobs.count
    return jobs
  }

  /// A task goes to sleep.
  ///
  /// - Parameter isExact: Whether no time has gone by since the task said for how long.
  func sleep(_ job: UnownedJob, for duration: Duration, isExact: Bool) {
    guard SwiftRuntime.current === self, let running else { return receiveFromElsewhere(job) }
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
    timers.append(Timer(job: job, strand: sleeper, deadline: deadline, cause: steps))
    touch(.arm, .clock)
  }

  // MARK: One execution

  /// Runs the scenario once.
  ///
  /// - Returns: How it ended; its outcome is in `result`.
  func execute<S: Search>(
    _ search: inout S, root: @escaping @Sendable () async -> Void
  ) throws(Divergence) -> Ending {
    reset()
    isLearning = search.needsAccesses
    if isLearning { races.watch() }
    Task(executorPreference: self) { await root() }
    settle()
    var divergence: Divergence?
    while true {
      if escapesAreNear, admitEscaped() { continue }
      let candidates = self.candidates
      guard !candidates.isEmpty else {
        if waitForEscaped() { continue }
        break
      }
      guard steps < options.steps else {
        abandonRest()
        return .stepLimit
      }
      var pick = 0
      let isChoice = candidates.count > 1
      if isChoice || isLearning, divergence == nil, !isUnsure {
        let point = SchedulingPoint(
          strands: candidates.map(\.strand), previous: pendingStrand(previous),
          knownObjects: actors.count)
        do {
          pick = try search.choose(point)
        } catch {
          divergence = error
        }
        if isChoice {
          choices.append(pick)
        }
      }
      take(candidates[pick])
      if isLearning, divergence == nil, !isUnsure {
        search.observe(
          Step(strand: previous!, predecessors: stepCauses, accesses: accesses))
      }
    }
    if let divergence { throw divergence }
    return .quiet
  }

  /// The strand, if it could go on at once: one that sleeps could not.
  private func pendingStrand(_ strand: Int?) -> Int? {
    strand.flatMap { strand in pending.contains { $0.strand == strand } ? strand : nil }
  }

  /// Something that can be done next.
  private struct Candidate {
    let strand: Int
    let pending: Int?
    let timer: Int?
  }

  /// Jobs in the order of their arrival, of each actor the one that it would serve; then sleepers.
  private var candidates: [Candidate] {
    var candidates: [Candidate] = []
    candidates.reserveCapacity(pending.count + timers.count)
    for (index, job) in pending.enumerated() {
      switch job.place {
      case .free: break
      case .main:
        if pending[..<index].contains(where: { $0.place == .main }) { continue }
      case .actor:
        let isOvertaken = pending.indices.contains { other in
          pending[other].place == job.place
            && (pending[other].priority > job.priority
              || other < index && pending[other].priority == job.priority)
        }
        if isOvertaken { continue }
      }
      candidates.append(Candidate(strand: job.strand, pending: index, timer: nil))
    }
    if !timers.isEmpty, options.time == .passesAtAnyStep || candidates.isEmpty {
      let first = timers.lazy.map(\.deadline).min()!
      for (index, timer) in timers.enumerated() where timer.deadline == first {
        candidates.append(Candidate(strand: timer.strand, pending: nil, timer: index))
      }
    }
    return candidates
  }

  private func take(_ candidate: Candidate) {
    let strand = candidate.strand
    accesses.removeAll(keepingCapacity: true)
    stepCauses.removeAll(keepingCapacity: true)
    heartbeat.wrappingAdd(1, ordering: .relaxed)
    running = strand
    if let index = candidate.pending {
      let job = pending.remove(at: index)
      begin(strand, place: job.place, cause: job.cause)
      run(job)
    } else {
      let timer = timers.remove(at: candidate.timer!)
      now = max(now, timer.deadline)
      begin(strand, place: .free, cause: timer.cause, isAfterAll: options.time == .passesWhenIdle)
      touch(.fire, .clock)
      timer.job.runSynchronously(on: asUnownedTaskExecutor())
      // The sleeper goes on in the same step, so that sleepers run in the order of their deadlines.
      if let own = settle() {
        run(
          Pending(job: own, strand: strand, place: .free, priority: 0, cause: timer.cause))
      }
    }
    end(strand)
  }

  private func begin(_ strand: Int, place: Place, cause: Int, isAfterAll: Bool = false) {
    defer { if readsTime { stepBegan = .now } }
    runningPlace = place
    isInStep.store(true, ordering: .relaxed)
    digest.add(strand)
    digest.add(place == .free ? 0 : place == .main ? 1 : 2)
    recorder?.begin(step: steps, strand: strand, place: place, of: self)
    guard isLearning || races.isWatching else { return }
    if cause >= 0 { stepCauses.append(cause) }
    if strands[strand].lastStep >= 0 { stepCauses.append(strands[strand].lastStep) }
    if place != .free, let last = lastStepOn[place] { stepCauses.append(last) }
    if isAfterAll { stepCauses += born.map { strands[$0].lastStep }.filter { $0 >= 0 } }
    lastStepOn[place] = steps
    races.begin(step: steps, strand: strand, after: stepCauses)
    guard isLearning else { return }
    touch(.read, .world)
    touch(.read, .strand(strand))
    if strands[strand].children > 0 { touch(.read, .children(of: strand)) }
    if hasMixedPriorities { touch(.write, .world) }
  }

  /// Runs a job and whatever belongs to the same step.
  private func run(_ job: Pending) {
    let task = strands[job.strand].task
    task?.retain()
    defer { task?.release() }
    var next: UnownedJob? = job.job
    while let current = next {
      switch job.place {
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
    if task?.isComplete ?? !(pending.contains { $0.strand == job.strand }) { complete(job.strand) }
  }

  private func end(_ strand: Int) {
    strands[strand].lastStep = steps
    if isLearning { learn(strand) }
    recorder?.end(strand: strand, of: self)
    if let previous, previous != strand { switches += 1 }
    previous = strand
    running = nil
    isInStep.store(false, ordering: .relaxed)
    steps += 1
  }

  private func complete(_ strand: Int) {
    strands[strand].isComplete = true
    if let task = strands[strand].task, !strands[strand].hasPreference { Fugitives.remove(task) }
    guard isLearning, let parent = strands[strand].parent else { return }
    if strands[strand].task == nil { return touch(.write, .world) }
    if strands[strand].isChild {
      touch(strands[strand].isGroupChild ? .write : .post, .children(of: parent))
    } else {
      touch(.post, .world)
    }
  }

  /// Sorts what came during a step. Returns the running task's own job if the task did not suspend
  /// but was sent around by the runtime.
  @discardableResult
  private func settle() -> UnownedJob? {
    var own: UnownedJob?
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
          continue
        }
        let strand = strand(of: job)
        let target: Place = arrival.isOnMain ? .main : .free
        // A task without a preference differs from its thread in that, so the runtime sends it to
        // where it already is.
        if strand == running, target == runningPlace, own == nil, !isYielding {
          own = job
          continue
        }
        add(job, strand: strand, place: target)
      } else if let actor = job.drainedActor(in: runtime) {
        let target = Place.actor(index(of: actor))
        for queued in actor.takeJobs() {
          let strand = strand(of: queued)
          if strand == running, target == runningPlace, own == nil, !isYielding {
            own = queued
          } else {
            add(queued, strand: strand, place: target)
          }
        }
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

  /// Whether the running task has asked for its own job.
  private var isYielding = false

  private func index(of actor: ActorReference) -> Int {
    let isTracked = isLearning || races.isWatching || recorder != nil
    let known = actors.indices.last { actors[$0].address == actor.address }
    if let known, !isTracked || actorObjects[known].object != nil { return known }
    actors.append(actor)
    actorObjects.append(WeakActor(object: isTracked ? actor.object : nil))
    return actors.count - 1
  }

  /// The actor of a place, while it is alive and its execution is written down.
  func object(at place: Place) -> (any Actor)? {
    guard case .actor(let index) = place else { return nil }
    return actorObjects[index].object as? any Actor
  }

  /// The strand of an unfinished task; the address of a finished one may be another's by now.
  func knownStrand(of task: TaskReference) -> Int? {
    born.first { strands[$0].task == task && !strands[$0].isComplete }
  }

  private func strand(of job: UnownedJob) -> Int {
    let isTask = runtime.map { job.isTask(in: $0) } ?? false
    return isTask ? strand(of: TaskReference(job)) : bear(nil)
  }

  private func strand(of task: TaskReference) -> Int {
    knownStrand(of: task) ?? bear(task)
  }

  /// A new strand, named by its parent and by how many that has had, which holds in every execution.
  private func bear(_ task: TaskReference?) -> Int {
    let parent = running
    let ordinal: Int
    if let parent {
      strands[parent].children += 1
      ordinal = strands[parent].children
    } else {
      births += 1
      ordinal = births
    }
    let id = intern(Birth(parent: parent ?? -1, ordinal: ordinal))
    while strands.count <= id { strands.append(Strand()) }
    born.append(id)
    strands[id] = Strand(
      task: task, parent: parent, ordinal: ordinal, isChild: task?.isChild ?? false,
      isGroupChild: task?.isGroupChild ?? false, hasPreference: task?.hasPreference ?? true)
    if let task {
      if !strands[id].hasPreference { Fugitives.add(task, of: self) }
      let priority = task.priority
      if let rootPriority, rootPriority != priority, !hasMixedPriorities {
        hasMixedPriorities = true
        touch(.write, .world)
      }
      rootPriority = rootPriority ?? priority
    }
    recorder?.born(id, of: self)
    return id
  }

  private func intern(_ birth: Birth) -> Int {
    if let id = interned[birth] { return id }
    interned[birth] = interned.count
    return interned.count - 1
  }

  private func add(_ job: UnownedJob, strand: Int, place: Place) {
    pending.append(
      Pending(
        job: job, strand: strand, place: place,
        priority: UInt8(truncatingIfNeeded: job.priority.rawValue),
        cause: running == nil ? strands[strand].lastStep : steps))
    // A sleeper that is woken otherwise leaves its timer behind.
    if strand != running, let stale = timers.firstIndex(where: { $0.strand == strand }) {
      timers.remove(at: stale).job.runSynchronously(on: asUnownedTaskExecutor())
    }
    if strand != running { recorder?.note(.resumes(strand)) }
    guard isLearning else { return }
    switch place {
    case .free: break
    case .main: touch(.write, .main)
    case .actor(let index): accesses.append(Access(.write, index))
    }
    if strand != running { checkAssumption(strand) }
  }

  // MARK: Learning what a step touched

  private enum Thing: Hashable {
    case world, clock, main
    case strand(Int)
    case children(of: Int)
  }

  private func touch(_ mode: Access.Mode, _ thing: Thing) {
    guard isLearning else { return }
    let number =
      switch thing {
      case .world: 1
      case .clock: 2
      case .main: 3
      case .strand(let strand): 4 + 3 * strand
      case .children(let parent): 5 + 3 * parent
      }
    accesses.append(Access(mode, -number))
  }

  /// After a step: which tasks did it cancel, and what does its task wait for?
  private func learn(_ strand: Int) {
    for other in born where !strands[other].isComplete {
      guard let task = strands[other].task, !strands[other].wasCancelled, task.isCancelled
      else { continue }
      strands[other].wasCancelled = true
      // Its children are cancelled, too, also those that have ended and might have seen it.
      touch(.write, .world)
    }
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
  func makeObject() -> Int {
    let parent = running ?? -1
    let ordinal = (objectsOf[parent] ?? 0) + 1
    objectsOf[parent] = ordinal
    return object(for: .inside(Birth(parent: parent, ordinal: ordinal)))
  }

  /// The number of a shared variable that was made outside the scenario and outlives it.
  func object(of variable: ObjectIdentifier) -> Int { object(for: .outside(variable)) }

  private func object(for origin: Origin) -> Int {
    if let id = internedObjects[origin] { return id }
    let id = -(6 + 3 * internedObjects.count)
    internedObjects[origin] = id
    return id
  }

  func access(_ mode: Access.Mode, _ object: Int, _ name: String) {
    guard let running else { return }
    if isLearning { accesses.append(Access(mode, object)) }
    races.access(object, name, isWrite: mode == .write, strand: running)
  }

  // MARK: Names

  /// "scenario", the name that the task was given, or its place in the tree of tasks.
  func name(of strand: Int) -> String {
    recorder?.name(of: strand) ?? path(of: strand)
  }

  func path(of strand: Int) -> String {
    guard let parent = strands[strand].parent else { return "scenario" }
    let own = "\(strands[strand].ordinal)"
    guard strands[parent].parent != nil else { return "task \(own)" }
    return "\(path(of: parent)).\(own)"
  }

  // MARK: Ends

  enum Ending: Equatable {
    case quiet
    case stepLimit
  }

  /// The tasks that have begun and not ended, where that can be seen.
  var unfinished: [Int] { runtime == nil ? [] : born.filter { !strands[$0].isComplete }.sorted() }

  private var escapesAreNear: Bool { escapesWait.load(ordering: .acquiring) }

  /// Gives other threads a little time, once, if the scenario stands still and might wait for one.
  private func waitForEscaped() -> Bool {
    guard !hasWaited, born.contains(where: { !strands[$0].isComplete }), cycle == nil else {
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

  /// Leaves behind what cannot be unwound: jobs that would go on for ever.
  private func abandonRest() {
    pending = []
    timers = []
  }

  private func reset() {
    for strand in unfinished {
      leavesTasks = true
      if let task = strands[strand].task, !strands[strand].hasPreference { Fugitives.remove(task) }
    }
    for strand in born { strands[strand] = Strand() }
    born.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    if !timers.isEmpty { timers = [] }
    if !timerTasks.isEmpty { timerTasks = [] }
    actors.removeAll(keepingCapacity: true)
    actorObjects.removeAll(keepingCapacity: true)
    _ = takeEscaped()
    if !lastStepOn.isEmpty { lastStepOn.removeAll(keepingCapacity: true) }
    if !objectsOf.isEmpty { objectsOf.removeAll(keepingCapacity: true) }
    births = 0
    if !findings.isEmpty { findings = [] }
    if !holders.isEmpty { holders = [:] }
    if !wants.isEmpty { wants = [:] }
    choices.removeAll(keepingCapacity: true)
    arrivals.removeAll(keepingCapacity: true)
    running = nil
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
    if holdsMain { Self.mainTurn.unlock() }
    // A task that was left behind may come to life on another thread and asks for this executor.
    if leavesTasks { _ = Unmanaged.passRetained(self) }
    isDone.store(true, ordering: .releasing)
  }
}
