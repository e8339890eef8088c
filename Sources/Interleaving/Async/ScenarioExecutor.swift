import CInterleaving

#if canImport(Glibc)
  @_spi(ExperimentalScheduling) import _Concurrency
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A use of memory at a scheduling point.
private struct MemoryUse {
  let memory: UnsafeRawPointer
  let site: String?
}

/// Receives every job of a scenario and runs one at a time, in the order that a search picks.
///
/// A *step* is what a task does from one suspension to the next, or to where others could see what it does. Jobs that
/// only stand for others, such as an actor's job to serve its queue, are no steps: the executor takes the queue instead,
/// so that each task in it is a step of its own.
///
/// This is the half of the engine that touches the scenario; what is known of an execution is kept by
/// ``Execution``. Say a task asks for an actor. It
/// suspends, and the runtime enqueues the actor's own job here, in the middle of the step: `receive` keeps it.
/// When the step's job returns, `settle` finds that this job would serve the actor's queue, takes the task's
/// job from there, and adds it to the execution, to be run on the actor. `next` asks the search which of what
/// is ready goes on, and `take` runs it.
final class ScenarioExecutor: JobReceiver, TaskExecutor, TurnTaker, @unchecked Sendable {
  // Sendable: one thread makes the executor, and one at a time calls it, which has the turn; what other
  // threads may use (`escapes`, `pulse` and `enqueue`) is synchronised by itself.

  private let options: Options
  let layout: SwiftRuntime.Layout?
  /// Why all is explored anew, with strands on threads of their own.
  enum Reason {
    /// A strand has to wait for its turn, with its stack as it is.
    case wait
    /// The calling thread, which is in the midst of a step, stays there.
    case stop
  }
  /// Does so, and does not return; set by who can.
  var startOver: ((Reason) -> Never)?
  /// What other threads do to the scenario.
  let escapes = Escapes()
  let pulse = Pulse()
  let execution: Execution
  /// The execution that was begun last.
  private(set) var current = ExecutionID()
  // Unchecked, as in ``Execution``.
  @exclusivity(unchecked) private var recorder: Recorder?
  /// Memory that the step under way writes.
  @exclusivity(unchecked) private var written: MemoryUse?
  /// Whether the step under way began with an operation, whose note says where that is.
  @exclusivity(unchecked) private var beginsWithOperation = false
  /// The search whose execution this is.
  @exclusivity(unchecked) private var ask: ((SchedulingPoint) throws(Divergence) -> Int)?
  @exclusivity(unchecked) private var tell: ((Step) -> Void)?
  @exclusivity(unchecked) private var arrivals: [Escapes.Arrival] = []
  /// The newest continuation of each task: how many steps the task had begun when it was resumed, if it was.
  @exclusivity(unchecked) var continuations: [TaskReference: Int?] = [:]
  /// What is set up once in the process, if a strand lets others go on while it does so.
  @exclusivity(unchecked) var setUp: ObjectID?
  /// The tasks whose job wakes a sleeper.
  @exclusivity(unchecked) private var timerTasks: Set<TaskReference> = []
  private lazy var mainQueue = MainQueue(self)
  private var mainTurn = MainTurn()
  private lazy var turns = Turns(self)
  @exclusivity(unchecked) private var hasWaited = false
  private var leavesTasks = false
  /// How much to disturb the heap before the first step of an execution: what depends on addresses should meet others.
  var disturbsHeap = 0

  init(_ options: Options) {
    self.options = options
    layout = options.usesRuntimeLayout ? SwiftRuntime.layout : nil
    execution = Execution(options, seesTasks: layout != nil)
    super.init(execution.races.watch)
    pulse.hurries = options.hurries
    interleaving_begin_time(seat)
    // Two words are all that there is in it.
    (seat.pointee.executor, seat.pointee.executor_implementation) = unsafeBitCast(
      asUnownedTaskExecutor(), to: (UInt, UInt).self)
    seat.pointee.keeps_set_ups = options.renewsStatics
  }

  deinit { free(seat.pointee.set_ups) }

  /// The executor of the exploration that the calling thread runs, if it runs one.
  static var current: ScenarioExecutor? {
    // Nothing else receives jobs.
    SwiftRuntime.receiver.map { unsafeDowncast($0, to: ScenarioExecutor.self) }
  }

  /// What of a scenario is not under control on this runtime, in words; nil if all is.
  var missingControl: String? {
    if !execution.seesTasks {
      return
        "the layout of tasks and actors is not the known one, so what waits for one actor runs in "
        + "one step and tasks left behind are not seen"
    }
    if !options.seesOrder {
      return "Task { }, Task.detached, the main actor and the order between tasks are not caught"
    }
    if !options.hasEntries {
      return "where a task is cancelled or asked whether it is, others are not let go on before"
    }
    if interleaving_has_missed_calls() {
      return "the program calls more methods of Foundation's directly than the explorer can see"
    }
    // With a sanitizer nothing is seen of shared state, which the words after "complete" take for granted.
    return options.seesLifetimes || SwiftRuntime.isSanitized
      ? nil : "dropped references are not seen, nor who lets an object come to its end"
  }

  /// What a thread does when it gets the turn, and before it gives it away.
  func takeSeat() {
    pulse.thread = interleaving_thread_id()
    SwiftRuntime.setReceiver(self)
  }
  func leaveSeat() { SwiftRuntime.setReceiver(nil) }

  // MARK: Arrivals

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    apart { receive(job, isOnMain: false) }
  }

  /// A job of the scenario is ready, made so by a step or, where it has escaped, by another thread.
  override func receive(_ job: UnownedJob, isOnMain: Bool) {
    var arrival = Escapes.Arrival(job: job, isolation: isOnMain ? .main : .nonisolated)
    if Self.current === self {
      interleaving_note_effect()
      arrival.awaited = execution.races.awaitedCount
      arrivals.append(arrival)
      if let layout, job.isTask(in: layout), TaskReference(job).isGroupChild {
        seat.pointee.has_groups = true
      }
    } else {
      escapes.receive(arrival)
    }
  }

  override func mainExecutor() -> UnownedSerialExecutor {
    pulse.paused { mainTurn.take() }
    return mainQueue.asUnownedSerialExecutor()
  }

  /// A task goes to sleep.
  func sleep(_ job: UnownedJob, for duration: Duration) {
    guard Self.current === self, let running = execution.running else {
      return receive(job, isOnMain: false)
    }
    // An immediate task sleeps within a step of the task that began it.
    let sleeper = layout != nil ? TaskReference.current.map { strand(of: $0) } ?? running : running
    timerTasks.insert(TaskReference(job))
    let milliseconds = duration.milliseconds
    if execution.isReduced || execution.current?.hasActed == true {
      execution.agenda.add(
        sleeper, after: execution.causes, .arm(job, milliseconds: milliseconds))
    } else {
      arm(job, of: sleeper, milliseconds: milliseconds)
    }
  }

  private func arm(_ job: UnownedJob, of strand: StrandID, milliseconds: Int) {
    let deadline = execution.arm(job, of: strand, milliseconds: milliseconds)
    recorder?.note("sleeps until \(Double(deadline) / 1000) s")
  }

  /// Takes in what other threads made ready; returns whether there was any.
  private func admitEscaped() -> Bool {
    let escaped = escapes.take()
    guard !escaped.isEmpty else { return false }
    arrivals += escaped
    settle()
    return true
  }

  /// Gives other threads a little time, once, if the scenario stands still and might wait for one.
  private func waitForEscaped() -> Bool {
    guard options.hasSurroundings, !hasWaited, execution.mayAwaitOthers else {
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

  // MARK: One execution

  /// Runs the scenario once.
  ///
  /// - Parameters:
  ///   - isRecorded: Whether to write it down.
  ///   - root: Runs the scenario.
  /// - Returns: What it came to; the scenario's own result is the root's to keep.
  func execute<S: Search>(
    _ search: inout S, isRecorded: Bool = false, root: @escaping @Sendable () async -> Void
  ) -> Report {
    // Else what the explorer does for itself, such as waiting for a lock, would be a step.
    precondition(!seat.pointee.is_in_scenario, "an execution begins outside of the scenario's code")
    reset()
    recorder = isRecorded ? Recorder() : nil
    if isRecorded { _ = SwiftRuntime.tellsErrors }
    execution.reset(keepsSteps: search.needsAccesses, isRecorded: isRecorded)
    seat.pointee.is_watching = execution.races.isWatching
    seat.pointee.is_concerned = execution.races.isWatching
    seat.pointee.has_groups = false
    seat.pointee.tells_statuses = search.needsAccesses && execution.ordersStatuses
    seat.pointee.tracks_lifetimes = execution.races.lifetimes.isTracking
    seat.pointee.choice_count = 0
    if options.seesLifetimes { interleaving_use_slots(true) }
    defer { if options.seesLifetimes { interleaving_use_slots(false) } }
    Task(executorPreference: self) { await root() }
    settle()
    withUnsafeMutablePointer(to: &search) { search in
      // The pointer is good until the execution has ended; then the two closures are dropped.
      ask = { point throws(Divergence) in try search.pointee.choose(point) }
      tell = { search.pointee.observe($0) }
      if options.usesCarriers {
        turns.run()
      } else {
        while let candidate = next() { take(candidate) }
      }
      (ask, tell) = (nil, nil)
    }
    let report = finishReport()
    if options.usesCarriers { turns.endWaiting() }
    return report
  }

  /// What is done next, as the search says; nil if the execution has ended.
  func next() -> Agenda.Candidate? {
    while !execution.report.isCutOff {
      if admitEscaped() { continue }
      let candidates = execution.findCandidates()
      guard !candidates.isEmpty else {
        if waitForEscaped() { continue }
        return nil
      }
      guard execution.steps < options.steps else {
        execution.report.isCutOff = true
        return nil
      }
      let hasWays = execution.ways(of: candidates) > 1
      let isChoice = candidates.count > 1 || hasWays
      let pick = isChoice || execution.keepsSteps ? choose(candidates) : 0
      if isChoice {
        note(choice: pick, at: execution.report.choices.count)
        execution.report.choices.append(pick)
      }
      guard hasWays else { return candidates[pick] }
      execution.way = pick
      return candidates[0]
    }
    return nil
  }

  private func choose(_ candidates: [Agenda.Candidate]) -> Int {
    guard !execution.report.hasDiverged else { return 0 }
    let index = try? ask?(execution.point(candidates))
    execution.report.hasDiverged = index == nil
    return index ?? 0
  }

  /// Does what is next, on the calling thread, unless it is an operation: its strand's own thread does that.
  func take(_ candidate: Agenda.Candidate) {
    let isHidden = execution.isHidden(candidate)
    let entry = execution.agenda.take(at: candidate.index)
    let strand = entry.strand
    let noise = disturbsHeap > 0 && execution.steps == 0 ? disturbHeap() : []
    defer { for block in noise { free(block) } }
    switch entry.action {
    case .run(let job, let isolation, _):
      let passesStatus = execution.isReduced && execution.passesStatus(strand)
      begin(strand, on: isolation, after: entry.causes, isHidden: isHidden, resumes: true)
      if passesStatus { execution.beginByPassingStatus(of: strand) }
      if let place = entry.place { execution.enterMainThread(at: place) }
      run(job, of: strand)
      if let place = entry.place { execution.leaveMainThread(at: place) }
    case .ask(let job, let isolation, let origin):
      begin(strand, on: entry.maker == nil ? origin : .nonisolated, after: entry.causes)
      execution.enqueue(job, of: strand, on: isolation)
      noteResumption(of: strand)
      if let maker = entry.maker { execution.ends(stepOf: maker, on: origin) }
    case .arm(let job, let milliseconds):
      begin(strand, on: .nonisolated, after: entry.causes)
      arm(job, of: strand, milliseconds: milliseconds)
    case .wake(let job, let deadline):
      begin(strand, on: .nonisolated, after: entry.causes, resumes: true)
      execution.wake(strand, at: deadline)
      runCode { job.runSynchronously(on: asUnownedTaskExecutor()) }
      // The sleeper goes on in the same step, so that sleepers run in the order of their deadlines.
      if let own = settle() { run(own, of: strand) }
    case .start(let beginning, let operation):
      let events = operation?.events.compactMap { execution.objects.events[$0] } ?? []
      begin(strand, on: .nonisolated, after: entry.causes + events)
      execution.strands[strand].hasYetToBegin = false
      let result = operation.map { execution.apply($0) } ?? .done
      beginsWithOperation = operation != nil
      interleaving_begin_code(seat, false)
      beginning.run(result)
      interleaving_end_code(seat)
      settle()
      execution.complete(strand)
    case .perform: preconditionFailure("a strand does its operation itself")
    }
    end()
  }

  /// Takes memory, on the thread that the execution begins on: each has a heap of its own.
  private func disturbHeap() -> [UnsafeMutableRawPointer?] {
    // Small blocks are kept by size, larger ones are cut to fit.
    let sizes = [stride(from: 16, to: 1024, by: 16), stride(from: 1040, to: 4096, by: 128)]
    var blocks: [UnsafeMutableRawPointer?] = []
    for size in sizes.joined() {
      for _ in 0..<(2 * disturbsHeap) { blocks.append(malloc(size)) }
    }
    return blocks
  }

  private func begin(
    _ strand: StrandID, on isolation: Isolation, after causes: [Int] = [],
    isHidden: Bool = false, resumes: Bool = false
  ) {
    let place =
      resumes && recorder != nil
      ? pulse.paused {
        execution.strands[strand].task?.resumption(findingLine: options.findsLines)
      } : nil
    pulse.beginStep()
    execution.begin(strand, on: isolation, after: causes, isHidden: isHidden)
    if recorder != nil {
      _ = execution.races.takeFunction()
      beginsWithOperation = false
      recorder!.beginStep(
        of: strand, isOnMain: isolation == .main, on: actorState(at: isolation),
        at: place)
    }
  }

  private func end() {
    guard let strand = execution.running else { return }
    if let use = written.take() { note(use, as: .write) }
    let step = execution.end()
    if recorder != nil, !beginsWithOperation, let function = execution.races.takeFunction() {
      recorder!.noteFunction(function)
    }
    if let (note, kind) = noteOfEnd(strand) { recorder?.note(note, kind) }
    pulse.endStep()
    if let step, !execution.report.hasDiverged { tell?(step) }
  }

  /// Runs a job and whatever belongs to the same step.
  private func run(_ job: UnownedJob, of strand: StrandID) {
    guard let isolation = execution.current?.isolation else { return }
    let task = execution.strands[strand].task
    task?.retain()
    defer { task?.release() }
    var next: UnownedJob? = job
    while let current = next {
      runCode {
        switch isolation {
        case .nonisolated:
          current.runSynchronously(on: asUnownedTaskExecutor())
        case .main:
          current.runSynchronously(
            isolatedTo: mainQueue.asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .actor(let number):
          current.runSynchronously(
            isolatedTo: execution.actors[number].object.unownedExecutor,
            taskExecutor: asUnownedTaskExecutor())
        }
      }
      leaveActor()
      next = settle()
    }
    guard layout != nil, task?.isComplete ?? !execution.agenda.isReady(strand) else { return }
    complete(strand)
  }

  /// A task has come to its end.
  func complete(_ strand: StrandID) {
    execution.complete(strand)
    let row = execution.strands[strand]
    if let task = row.task, !row.hasPreference { Fugitives.remove(task) }
  }

  /// Runs code of the scenario's, up to where it suspends.
  @inline(__always)
  private func runCode(_ body: () -> Void) {
    interleaving_begin_code(seat, !options.usesCarriers)
    body()
    interleaving_end_code(seat)
  }

  /// Sorts what came during a step.
  ///
  /// A task that yields comes in two parts: first as a job that does no more than resume it, and when that has
  /// been run, here, as the task itself, behind it in the same loop. `isYielding` tells it from a task that the
  /// runtime sends to where it already is, and that goes on in its step.
  ///
  /// - Returns: The running task's own job, if the task did not suspend but was sent around by the runtime.
  @discardableResult
  func settle() -> UnownedJob? {
    var own: UnownedJob?
    func place(_ job: UnownedJob, on isolation: Isolation) {
      let strand = strand(of: job)
      // A task without a preference differs from its thread in that, so the runtime sends it to where
      // it already is.
      if let current = execution.current, strand == current.strand, isolation == current.isolation,
        own == nil, !current.isYielding
      {
        own = job
      } else {
        add(job, of: strand, on: isolation)
      }
    }
    var next = 0
    while next < arrivals.count {
      let (job, isolation) = (arrivals[next].job, arrivals[next].isolation)
      execution.awaitedBefore = max(0, arrivals[next].awaited)
      next += 1
      guard let layout else {
        add(job, of: strand(of: job), on: isolation)
        continue
      }
      if job.isTask(in: layout) {
        let task = TaskReference(job)
        if timerTasks.contains(task) {
          task.retain()
          job.runSynchronously(on: asUnownedTaskExecutor())
          if task.isComplete { timerTasks.remove(task) }
          task.release()
        } else {
          place(job, on: isolation)
        }
      } else if let actor = job.drainedActor(in: layout) {
        let number = execution.actors.index(of: actor) { execution.identify($0).0 }
        for queued in actor.takeJobs() { place(queued, on: .actor(number)) }
        // With nothing in its queue the actor comes to rest.
        execution.races.forget(job)
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if job.isContinuation(in: layout),
        execution.current?.isolation ?? .nonisolated == .nonisolated
      {
        recorder?.note("yields")
        execution.current?.isYielding = true
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if job.isContinuation(in: layout), let running = execution.running {
        recorder?.note("yields")
        add(job, of: running, on: .nonisolated)
      } else {
        // What is no task, such as an isolated deinitializer, is a strand of its own.
        add(job, of: strand(of: job), on: isolation)
      }
    }
    arrivals.removeAll(keepingCapacity: true)
    execution.awaitedBefore = nil
    execution.current?.isYielding = false
    return own
  }

  private func add(_ job: UnownedJob, of strand: StrandID, on isolation: Isolation) {
    let stale = execution.add(job, of: strand, on: isolation)
    stale?.runSynchronously(on: asUnownedTaskExecutor())
    noteResumption(of: strand)
  }

  private func noteResumption(of strand: StrandID) {
    if strand != execution.running {
      recorder?.noteResumption(of: strand, execution.strands.names[strand])
    }
  }

  private func strand(of job: UnownedJob) -> StrandID {
    guard let layout, job.isTask(in: layout) else { return meet { $0.bear(nil) } }
    return strand(of: TaskReference(job))
  }

  func strand(of task: TaskReference) -> StrandID { meet { $0.strand(of: task) } }

  /// Lets the execution meet strands, and takes hold of those that are new.
  private func meet<R>(_ body: (Execution) -> R) -> R {
    let known = execution.strands.born.count
    let result = body(execution)
    for strand in execution.strands.born[known...] {
      let row = execution.strands[strand]
      if let task = row.task, !row.hasPreference { Fugitives.add(task, of: self) }
      if execution.running != nil {
        recorder?.note("starts \(execution.strands.names[strand])", .bookkeeping)
      }
    }
    return result
  }

  // MARK: Writing down

  /// An actor's properties, while it is alive and the execution is written down.
  private func actorState(at isolation: Isolation) -> Recorder.ActorState? {
    guard recorder != nil, case .actor(let number) = isolation else { return nil }
    return execution.actors.instance(at: number).map { Recorder.ActorState($0, number: number) }
  }

  private func leaveActor() {
    guard recorder != nil, let current = execution.current else { return }
    let state = actorState(at: current.isolation)
    recorder?.leave(state)
  }

  /// How a step has come to its end.
  private func noteOfEnd(_ strand: StrandID) -> (String, Recorder.Kind)? {
    guard recorder != nil else { return nil }
    if execution.strands[strand].isComplete { return ("ends", .bookkeeping) }
    if recorder!.saysHowItEnds { return nil }
    switch execution.agenda.isolation(of: strand) {
    case .nonisolated: return nil
    case .main: return ("asks for MainActor", .bookkeeping)
    case let isolation?:
      return actorState(at: isolation).map {
        ("asks for \(recorder!.name(of: $0))", .bookkeeping)
      }
    case nil: return execution.wait(of: strand).map(note(of:))
    }
  }

  /// What a strand waits for, in words; that others come to their end is no more than bookkeeping.
  private func note(of wait: Wait) -> (String, Recorder.Kind) {
    ("waits for \(wording.text(wait))", wait.isForEnds ? .bookkeeping : .action)
  }

  private var wording: Wording { Wording(names: execution.strands.names) }

  private func finishReport() -> Report {
    execution.finish()
    var report = execution.report
    report.hasEscaped = escapes.count > 0
    // Nobody can set it up any more, and who asks for it would wait for ever.
    if let setUp, execution.objects.holders[setUp] != nil { report.isDamaged = true }
    guard recorder != nil else { return report }
    var sites: [StrandID: String] = [:]
    for waiter in report.unfinished where options.findsLines && !report.isCutOff {
      sites[waiter.strand] = execution.strands[waiter.strand].task?.awaitSite
    }
    for (strand, _) in execution.agenda.operations {
      let (note, kind) =
        execution.wait(of: strand).map(note(of:)) ?? ("waits for its turn", .action)
      recorder!.addWait(of: strand, note, kind)
    }
    recorder!.finish(
      execution.strands, sites, waiting: report.isCutOff ? [] : report.unfinished.map(\.strand))
    report.recorder = recorder.take()
    return report
  }

  // MARK: What the scenario does

  /// Adds to what a trace says of the step under way.
  func note(_ note: @autoclosure () -> String, _ kind: Recorder.Kind = .action) {
    if recorder != nil { recorder?.note(note(), kind) }
  }

  /// Something went wrong in the step under way.
  func report(_ finding: Finding) {
    execution.report.findings.append(finding)
    guard recorder != nil, options.findsLines else { return }
    apart { recorder?.note(pulse.paused { SwiftRuntime.callSite }, of: finding) }
  }

  /// A shared variable is about to be used.
  func access(_ mode: Access.Mode, _ object: ObjectID, _ name: String) {
    guard execution.running != nil else { return }
    perform(VisibleOperation([.init(mode == .read ? .read : .write, object, initially: .variable)]))
    execution.access(object, name, isWrite: mode == .write)
  }

  /// Writes down what a shared variable was or is.
  func noteUse<Value>(
    _ kind: Recorder.Use.Kind, of object: ObjectID, _ name: String, _ value: Value
  ) {
    guard recorder != nil, execution.running != nil else { return }
    apart { recorder?.noteUse(kind, of: .object(object), name, describe(value)) }
  }

  // MARK: Strands that block

  /// Ends the step under way and waits for the turn to begin the next with an operation.
  ///
  /// - Parameter note: What a trace says about it.
  /// - Returns: What it came to.
  @discardableResult
  func perform(
    _ operation: VisibleOperation, _ note: @autoclosure () -> String? = nil,
    _ kind: Recorder.Kind = .action
  ) -> VisibleOperation.Result {
    interleaving_begin_operation()
    return apart { performApart(operation, note(), kind) }
  }

  private func performApart(
    _ operation: VisibleOperation, _ note: @autoclosure () -> String?, _ kind: Recorder.Kind
  ) -> VisibleOperation.Result {
    // Between executions what is released may do something. And who sets up a `static` comes to its end first: before
    // all is explored anew, and before others ask for it.
    let isAtOnce =
      execution.running == nil
      || interleaving_is_setting_up() && operation.ways == 1
        && execution.objects.readiness(of: operation) == .now
    if isAtOnce {
      return execution.objects.apply(operation, by: execution.running ?? .outside)
    }
    let isSuspended = isSuspended
    if !isSuspended { settle() }
    let current = execution.current!
    if isSuspended || execution.goesOn(with: operation) || goesOnInStandIn(with: operation) {
      if let use = written.take() { self.note(use, as: .write) }
      if recorder != nil, let note = note() { recorder?.note(note, kind) }
      return execution.apply(operation, isWithin: isSuspended)
    }
    while let lock = interleaving_next_held_lock() { hold(lock) }
    leaveActor()
    end()
    execution.add(operation, of: current.strand, on: current.isolation)
    let entry = execution.agenda.take(at: waitForTurn(of: current.strand))
    guard case .perform(let operation, _) = entry.action else {
      preconditionFailure("a strand that waits for its turn waits to do its operation")
    }
    begin(
      current.strand, on: current.isolation,
      after: operation.events.compactMap { execution.objects.events[$0] })
    let result = execution.apply(operation)
    // What the step before has done can still be seen.
    if operation.ways > 1 { execution.current?.hasActed = current.hasActed }
    beginsWithOperation = true
    if recorder != nil, let note = note() { recorder?.note(note, kind) }
    return result
  }

  /// Whether the end of an object in the midst of a stand-in is no place for others to go on: that is one step.
  private func goesOnInStandIn(with operation: VisibleOperation) -> Bool {
    execution.report.usesStandIns && interleaving_is_in_stand_in() && operation.ways == 1
      && execution.objects.readiness(of: operation) == .now
  }

  /// Goes one of several ways, as the search says.
  ///
  /// - Parameters:
  ///   - count: How many there are; 1 or more.
  ///   - text: What a way is called in a trace.
  /// - Returns: Which it is, from 0.
  func choose(from count: Int, _ text: (Int) -> String) -> Int {
    guard count > 1, execution.running != nil else { return 0 }
    var operation = VisibleOperation([])
    operation.isPrompt = true
    operation.ways = count
    perform(operation, "chooses \(text(execution.way)), \(execution.way + 1) of \(count)", .choice)
    return execution.way
  }

  /// Passes the turn on, and returns when the operation of the running strand is the next to be done.
  ///
  /// - Returns: The operation's index on the agenda.
  private func waitForTurn(of strand: StrandID) -> Int {
    if options.usesCarriers { return turns.wait(strand) }
    guard let candidate = next(), candidate.strand == strand else { startOverOnCarriers() }
    return candidate.index
  }

  /// Begins a strand that a thread carries.
  ///
  /// - Returns: The strand, and the event of its end.
  func begin(
    name: String?, _ beginning: Beginning, with operation: VisibleOperation? = nil
  ) -> (strand: StrandID, end: ObjectID) {
    if !options.usesCarriers, execution.running != nil { startOverOnCarriers() }
    return apart { meet { $0.bearThread(name, beginning, with: operation) } }
  }

  /// Notes that a strand does what would end the process, and lets it do no more.
  ///
  /// The others go on, as they could if this one were slow: so a trap hides no other.
  func trap(_ reason: String, at place: Place? = nil) -> Never {
    if !options.usesCarriers { startOverOnCarriers() }
    let finding = execution.trap(reason, at: place)
    note("traps: \(reason)")
    note(place, of: finding)
    leave()
  }

  override func trap(_ message: String, at places: [Place]) -> Never {
    if !options.usesCarriers { startOverOnCarriers() }
    let place = places.first(where: isWritten)
    trap(pulse.paused { SwiftRuntime.reason(of: message, at: place) }, at: place)
  }

  override func stop(isWaiting: Bool, at places: [Place]) {
    guard let question = pulse.question, isWaiting || question.isOverdue,
      let running = execution.running, !SwiftRuntime.isExploring(places)
    else { return }
    pulse.isAnswered = true
    pulse.hurries = true
    if !options.usesCarriers { startOver?(.stop) }
    let place = places.first(where: isWritten)
    let finding = Finding.blocked(
      running, isWaiting: isWaiting, at: place, after: options.patience)
    execution.report.findings.append(finding)
    execution.report.isStuck = true
    note("does not go on", .fault)
    note(place, of: finding)
    end()
    turns.stop()
    interleaving_wait_for_ever()
  }

  /// Whether code at a place was written by somebody, and not by us or Swift.
  private func isWritten(_ place: Place) -> Bool {
    SwiftRuntime.function(at: place).map { !$0.isOurs && !$0.isSwifts } ?? false
  }

  /// Keeps the line of a place where something was found.
  private func note(_ place: Place?, of finding: Finding) {
    guard recorder != nil, let place, let line = line(at: place) else { return }
    recorder?.note(line, of: finding)
  }

  /// Ends the running strand as `Thread.exit()` does, and gives the turn on.
  func exitStrand() -> Never {
    let strand = execution.running!
    guard execution.strands[strand].end != nil else {
      trap("ends the thread of a task, which others use, too")
    }
    execution.complete(strand)
    leave()
  }

  private func startOverOnCarriers() -> Never {
    guard let startOver else { preconditionFailure("nothing here can run strands that wait") }
    startOver(.wait)
  }

  /// Ends the step under way and the calling thread, and gives the turn on.
  private func leave() -> Never {
    // Its code does not come to its end.
    interleaving_set_in_scenario(seat, false)
    settle()
    end()
    turns.leave()
  }

  // MARK: Real locks, atomics and memory

  override func use(_ memory: UnsafeRawPointer, at place: Place, isWrite: Bool) {
    guard execution.running != nil else { return }
    perform(VisibleOperation([.init(isWrite ? .write : .read, .memory, initially: .variable)]))
    guard recorder != nil else { return }
    let use = MemoryUse(memory: memory, site: line(at: place))
    if isWrite {
      // What is written is there when the step has come to its end: its next use is a step of its own.
      written = use
    } else {
      note(use, as: .read)
    }
  }

  override func useKept(
    _ uses: [interleaving_kept_use], by what: UnsafePointer<CChar>, of name: String?,
    at place: Place
  ) {
    guard execution.running != nil else { return }
    var text: String {
      let deed =
        name.map { "\(String(cString: what)) \($0)" }
        ?? SwiftRuntime.functionName(of: what).map { "calls \($0)" } ?? String(cString: what)
      return deed + site(place)
    }
    perform(
      VisibleOperation(
        uses.map {
          .init($0.is_write ? .write : .read, .kept($0.identity), initially: .variable)
        }), text)
  }

  /// The line of a place; others may be looking up theirs, for which no step is to blame.
  private func line(at place: Place) -> String? {
    pulse.paused { SwiftRuntime.line(at: place, isLookedUp: options.findsLines) }
  }

  /// As in: ", Account.swift:12"; nothing if it is not known.
  private func site(_ place: Place?) -> String { place.flatMap(line).map { ", \($0)" } ?? "" }

  private func note(_ use: MemoryUse, as kind: Recorder.Use.Kind) {
    recorder?.noteUse(
      kind, of: .memory(use.memory), execution.races.name(of: use.memory),
      execution.races.value(of: use.memory), at: use.site)
  }

  override func makeIdentity() -> (UInt64, UInt64)? {
    execution.running.map { execution.strands.makeIdentity(of: $0) }
  }

  override func make(_ lock: UnsafeRawPointer, _ isNew: Bool) {
    guard let maker = execution.running else { return }
    if isNew {
      execution.objects.makeReal(at: lock, by: maker)
    } else {
      execution.objects.forget(lock)
    }
  }

  override func operate(
    _ operation: RealOperation, on object: UnsafeRawPointer, with other: UnsafeRawPointer?,
    for duration: Duration?, at place: Place
  ) -> Bool {
    guard let strand = execution.running else { return true }
    let deadline = duration.map { execution.clock.deadline(after: $0) }
    if operation == .openContinuation || operation == .resume {
      return execution.seesTasks ? noteContinuation(operation, of: TaskReference(object)) : true
    }
    if operation.kind == .task || operation.kind == .libraryLock {
      return act(operation, on: object, at: place)
    }
    if operation.kind == .life {
      reach(operation, of: UInt(bitPattern: object), at: place)
      return true
    }
    if operation == .nameAtRandom {
      execution.report.demand.addAll("a file has another name in each execution")
      return true
    }
    if operation == .sleep {
      if let deadline {
        sleep(until: deadline, "sleeps until \(Double(deadline) / 1000) s\(site(place))")
      } else {
        let never = execution.makeObject()
        execution.objects.name(never, "a moment that never comes")
        self.perform(VisibleOperation([], after: [never]), "sleeps for ever\(site(place))")
      }
      return true
    }
    let id = execution.object(at: object, operation.kind)
    let name = execution.objects.name(of: id)
    func useLock(_ action: Action) -> VisibleOperation.Use {
      .init(action, execution.object(at: other!, .lock), initially: .lock(isHeld: false))
    }
    var isPrompt = false
    func perform(_ uses: [VisibleOperation.Use], _ verb: String) -> Bool {
      let expiry = deadline.map { [arm($0)] } ?? []
      var operation = VisibleOperation(uses + expiry, givesUp: deadline != nil)
      operation.isPrompt = isPrompt
      // What holds a scenario together uses locks, too; a reader has not written them.
      let isOurs = recorder != nil && SwiftRuntime.function(at: place)?.isOurs == true
      let result = self.perform(
        operation, "\(verb) \(name)\(site(place))", isOurs ? .bookkeeping : .action)
      if result == .timedOut { note("gives up: its time is over") }
      return result == .done
    }
    func use(_ action: Action) -> VisibleOperation.Use {
      .init(action, id, initially: operation.initialState)
    }
    let isHeld = execution.objects.holders[id] == strand
    switch operation {
    case .load: return perform([use(.read)], "loads")
    case .store: return perform([use(.write)], "stores in")
    case .update: return perform([use(.write)], "updates")
    case .lockStrictly where isHeld:
      trap("locks \(name), which it holds: Mutex refuses a recursive call")
    case .lockAgain where isHeld, .tryLockAgain where isHeld:
      execution.objects.depths[id, default: 0] += 1
      return true
    case .lock, .lockStrictly, .lockAgain: return perform([use(.acquire)], "locks")
    case .tryLock, .tryLockAgain:
      execution.report.hasTriedLocks = true
      return perform([use(.attempt)], "tries")
    case .unlock:
      if let depth = execution.objects.depths[id], depth > 0 {
        execution.objects.depths[id] = depth - 1
        return true
      }
      isPrompt = unlocksAtOnce
      return perform([use(.release)], "unlocks")
    case .lockToRead:
      execution.noteUse(of: id, isWrite: false)
      return perform([use(.acquireToRead(strand))], "locks for reading")
    case .tryLockToRead: return perform([use(.attemptToRead(strand))], "tries to read")
    case .lockToWrite:
      execution.noteUse(of: id, isWrite: true)
      return perform([use(.acquireToWrite(strand))], "locks for writing")
    case .tryLockToWrite: return perform([use(.attemptToWrite(strand))], "tries to write")
    case .unlockShared: return perform([use(.releaseShared(strand))], "unlocks")
    case .wait where deadline == nil:
      _ = perform([useLock(.release), use(.register(strand))], "waits for")
      return perform([use(.wake(strand)), useLock(.acquire)], "is woken by")
    case .wait:
      let moment = deadline!
      self.perform(
        VisibleOperation([useLock(.release), use(.register(strand)), useClock(.arm(moment))]),
        "waits for \(name)\(site(place))")
      let result = self.perform(
        VisibleOperation([use(.wake(strand)), useClock(.expire(moment))], givesUp: true),
        "waits for \(name) no longer\(site(place))")
      self.perform(VisibleOperation([useLock(.acquire)]), "takes the lock of \(name)\(site(place))")
      return result == .done
    case .wakeOne: return perform([use(.notify)], "signals")
    case .wakeAll: return perform([use(.notifyAll)], "wakes all of")
    case .cancel, .askWhetherCancelled, .goToSleep, .awaitNext, .beginChild, .setHandler,
      .endLets, .beginAtOnce, .haveBegun, .useRuntime, .useStatus, .passStatus, .awaitLock,
      .releaseLock, .sleep, .openContinuation, .resume, .drop, .endLife, .look, .askWhetherShared,
      .nameAtRandom:
      preconditionFailure("told apart above")
    }
  }

  /// The running strand drops what may be the last reference to an object, or looks for it.
  private func reach(_ operation: RealOperation, of number: UInt, at place: Place) {
    let (id, type) = execution.life(number)
    if recorder != nil, !execution.objects.isNamed(id) {
      execution.objects.name(id, kind: type ?? "what a closure has captured", label: nil)
    }
    let (action, verb): (Action, String) =
      switch operation {
      case .drop: (.drop, "drops a reference to")
      case .endLife: (.endLife, "drops a reference to")
      case .askWhetherShared: (.look, "asks for other references to")
      default: (.look, "looks for")
      }
    perform(
      VisibleOperation([.init(action, id, initially: .variable)]),
      "\(verb) \(execution.objects.name(of: id))\(site(place))")
  }

  // MARK: Time

  override func readTime(at place: Place) -> Duration {
    if place.offset != 0, execution.running != nil, !isSuspended { readClock(at: place) }
    return .milliseconds(execution.clock.now)
  }

  /// The running strand is about to read the clock: whoever sleeps may wake before.
  ///
  /// Where time passes only when nothing else can go on, it does not while a strand is about to read it.
  func readClock(at place: Place? = nil) {
    var text: String { "reads the clock\(site(place))" }
    if options.time == .passesAtAnyStep {
      perform(VisibleOperation([useClock(.read)]), text)
    } else {
      note(text)
    }
    guard let running = execution.running,
      let wait = execution.clock.read(by: running, at: place ?? Place(0))
    else { return }
    sleep(until: execution.clock.now + wait, "lets time pass")
  }

  private func useClock(_ action: Action) -> VisibleOperation.Use {
    .init(action, .clock, initially: .clock([]))
  }

  /// Lets the running strand wait for a moment of virtual time.
  func arm(_ moment: Int) -> VisibleOperation.Use {
    perform(VisibleOperation([useClock(.arm(moment))]))
    return useClock(.expire(moment))
  }

  /// Blocks the running strand until a moment of virtual time.
  func sleep(until moment: Int, _ note: @autoclosure () -> String) {
    perform(VisibleOperation([arm(moment)]), note())
  }

  /// Whether a task that unlocks goes on at once, unless somebody may find out by trying: of many orders one is left.
  var unlocksAtOnce: Bool {
    guard !execution.isReduced, !execution.triesLocks, let running = execution.running,
      execution.strands[running].end == nil
    else { return false }
    execution.report.hasUnlockedAtOnce = true
    return true
  }

  // MARK: Between executions

  private func reset() {
    current.ordinal += 1
    release()
    for strand in layout != nil ? execution.strands.unfinished : [] {
      leavesTasks = true
      let row = execution.strands[strand]
      if let task = row.task, !row.hasPreference { Fugitives.remove(task) }
    }
    if !timerTasks.isEmpty { timerTasks = [] }
    if !continuations.isEmpty { continuations = [:] }
    setUp = nil
    renewStatics()
    _ = escapes.take()
    arrivals.removeAll(keepingCapacity: true)
  }

  /// Lets what the execution has set up be set up anew, unless it belongs to what runs scenarios.
  private func renewStatics() {
    for index in 0..<Int(seat.pointee.set_up_count) {
      let setUp = seat.pointee.set_ups![index]
      if !SwiftRuntime.isOurs(Place(setUp.place)) { interleaving_renew(setUp.token) }
    }
    seat.pointee.set_up_count = 0
  }

  /// Releases what the execution kept of the scenario, whose code may run then.
  private func release() {
    while true {
      let kept = (execution.agenda.reset(), execution.objects.takeAttachments())
      if kept.0.isEmpty, kept.1.isEmpty { return }
    }
  }

  /// Ends an exploration whose thread stays in the midst of a step.
  func abandon() {
    _ = Unmanaged.passRetained(self)
    pulse.endStep()
    mainTurn.giveBack()
    escapes.close()
  }

  /// Ends the exploration.
  func finish() {
    reset()
    if options.usesCarriers { turns.finish() }
    pulse.endStep()
    mainTurn.giveBack()
    // A task that was left behind may come to life on another thread and asks for this executor.
    if leavesTasks { _ = Unmanaged.passRetained(self) }
    escapes.close()
  }
}
