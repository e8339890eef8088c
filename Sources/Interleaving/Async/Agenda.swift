/// Where a step runs.
enum Place: Hashable {
  /// On no actor.
  case free
  case main
  case actor(Int)
}

/// What an execution could do next: jobs that wait for their turn and tasks that sleep.
struct Agenda {
  /// A job that waits for its turn.
  struct Job {
    let job: UnownedJob
    let strand: Int
    let place: Place
    let priority: UInt8
    /// The step that made it possible, or -1.
    let cause: Int
  }

  /// A task that is about to ask for an actor, after it has let others go on: they may ask first.
  struct Request {
    let job: UnownedJob
    let strand: Int
    /// Where it asks to run.
    let place: Place
    /// Where it is until it has asked; nobody else can be there.
    let origin: Place
  }

  /// A task that sleeps.
  struct Timer {
    let job: UnownedJob
    let strand: Int
    /// In milliseconds of virtual time since the beginning of the execution.
    let deadline: Int
    let cause: Int
  }

  /// A strand that blocks and waits for its turn to do something that others see.
  struct Pending {
    let operation: VisibleOperation
    let strand: Int
    /// Where it is meanwhile; nobody else can be there.
    let place: Place
    let carrier: Carrier
  }

  /// A strand that has not begun.
  struct Start {
    let strand: Int
    let body: () -> Void
    let cause: Int
  }

  /// Something that can be done next.
  struct Candidate {
    enum Index {
      case job(Int)
      case request(Int)
      case start(Int)
      case operation(Int)
      case timer(Int)
    }

    let strand: Int
    let index: Index

    var isTimer: Bool { if case .timer = index { true } else { false } }
    var isStart: Bool { if case .start = index { true } else { false } }
  }

  private var jobs: [Job] = []
  private var requests: [Request] = []
  private var starts: [Start] = []
  private(set) var pending: [Pending] = []
  private var timers: [Timer] = []

  /// The job that a strand waits with, the newest if there are several.
  func job(of strand: Int) -> Job? { jobs.last { $0.strand == strand } }

  /// Whether a strand could go on at once: one that sleeps or waits could not.
  func isReady(_ strand: Int) -> Bool {
    jobs.contains { $0.strand == strand } || requests.contains { $0.strand == strand }
      || pending.contains { $0.strand == strand } || starts.contains { $0.strand == strand }
  }

  mutating func add(_ job: Job) { jobs.append(job) }
  mutating func add(_ request: Request) { requests.append(request) }
  mutating func add(_ timer: Timer) { timers.append(timer) }
  mutating func add(_ start: Start) { starts.append(start) }
  mutating func add(_ waiting: Pending) { pending.append(waiting) }
  mutating func takeJob(at index: Int) -> Job { jobs.remove(at: index) }
  mutating func takeRequest(at index: Int) -> Request { requests.remove(at: index) }
  mutating func takeTimer(at index: Int) -> Timer { timers.remove(at: index) }
  mutating func takeStart(at index: Int) -> Start { starts.remove(at: index) }
  mutating func takePending(at index: Int) -> Pending { pending.remove(at: index) }

  mutating func takeTimer(of strand: Int) -> Timer? {
    timers.firstIndex { $0.strand == strand }.map { timers.remove(at: $0) }
  }

  /// Jobs in the order of their arrival, of each actor the one that it would serve; then requests,
  /// strands that begin and strands that go on; then, if they may be woken, the sleepers whose time comes
  /// first.
  ///
  /// - Parameters:
  ///   - time: When sleepers may be woken.
  ///   - readiness: Whether a strand that blocks can go on.
  /// - Complexity: O(*n*²) where *n* is the number of jobs.
  func candidates(
    _ time: VirtualTime, _ readiness: (VisibleOperation) -> VisibleOperation.Readiness
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    candidates.reserveCapacity(
      jobs.count + requests.count + starts.count + pending.count + timers.count)
    for (index, job) in jobs.enumerated() where isServedNext(index) {
      candidates.append(Candidate(strand: job.strand, index: .job(index)))
    }
    for (index, request) in requests.enumerated() {
      candidates.append(Candidate(strand: request.strand, index: .request(index)))
    }
    for (index, start) in starts.enumerated() {
      candidates.append(Candidate(strand: start.strand, index: .start(index)))
    }
    var due: [(deadline: Int, candidate: Candidate)] = []
    for (index, waiting) in pending.enumerated() {
      let candidate = Candidate(strand: waiting.strand, index: .operation(index))
      switch readiness(waiting.operation) {
      case .now: candidates.append(candidate)
      case .later: break
      case .due(let deadline): due.append((deadline, candidate))
      }
    }
    for (index, timer) in timers.enumerated() {
      due.append((timer.deadline, Candidate(strand: timer.strand, index: .timer(index))))
    }
    if !due.isEmpty, time == .passesAtAnyStep || candidates.isEmpty {
      let first = due.lazy.map(\.deadline).min()!
      candidates += due.filter { $0.deadline == first }.map(\.candidate)
    }
    return candidates
  }

  /// Whether no job overtakes this one: actors serve by priority, the main queue by arrival.
  private func isServedNext(_ index: Int) -> Bool {
    let job = jobs[index]
    if job.place != .free,
      requests.contains(where: { $0.origin == job.place })
        || pending.contains(where: { $0.place == job.place })
    {
      return false
    }
    switch job.place {
    case .free: return true
    case .main: return !jobs[..<index].contains { $0.place == .main }
    case .actor:
      return !jobs.indices.contains { other in
        jobs[other].place == job.place
          && (jobs[other].priority > job.priority
            || other < index && jobs[other].priority == job.priority)
      }
    }
  }

  /// What has not begun; releasing it may run code of the scenario.
  mutating func takeStarts() -> [Start] {
    defer { if !starts.isEmpty { starts = [] } }
    return starts
  }

  /// Forgets what waits, but for what `takeStarts` takes; it can not be unwound.
  mutating func reset() {
    jobs.removeAll(keepingCapacity: true)
    if !requests.isEmpty { requests = [] }
    if !pending.isEmpty { pending = [] }
    timers.removeAll(keepingCapacity: true)
  }
}
