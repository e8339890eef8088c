/// The event loop: one for all protocols. They differ in `blocker`, in `reprioritize`, and in what
/// `Program` makes of an actor's suspensions.
struct Simulator {
  enum Status { case idle, ready, running, blocked, waiting }

  /// A job and what has become of its current release.
  struct Activity {
    let base: Int
    let period: Int?
    var status = Status.idle
    var priority: Int
    /// The next operation, and how much is left to compute before it.
    var operation = 0
    var remaining = 0
    /// When a suspension ends.
    var wakes = 0
    /// Which of several equally urgent jobs was ready first.
    var turn = 0
    /// How long the turn lasts.
    var quantum = Int.max
    /// How long the release was ready and did not run.
    var age = 0
    /// The lock that it asked for and did not get yet, since when, and who was in the way.
    var wanted: Int?
    var ticket = 0
    var blocker: Int?
    var held: [Int] = []
    var sections = 0
    /// The release: its number, from 1, and time; how many there have been, and when the next one is.
    var number = 0
    var release = 0
    var released = 0
    var nextRelease: Int
    var blocking: [Delay] = []
    /// What the chart shows, and since when.
    var shown: (activity: Span.Activity, priority: Int)?
    var shownNumber = 0
    var since = 0
    var isChosen = false

    init(_ job: Job, until horizon: Int) {
      base = job.priority
      priority = job.priority
      period = job.period
      nextRelease = job.period == nil || job.release < horizon ? job.release : .max
    }
  }

  struct Delay {
    let job: Int
    let number: Int
    let section: Int
    let lock: Int?
    var time: Int
  }

  struct Core {
    var job: Int?
    /// The release that it worked on last.
    var lastJob = -1
    var lastNumber = 0
  }

  let program: Program
  let horizon: Int
  let policy: LockingProtocol
  let quantum: Int
  let interval: Int?
  var simulation: Simulation
  var jobs: [Activity]
  var cores: [Core]
  var holders: [Int?]
  var responses: [[Response]]
  var now = 0
  var turns = 0
  var wanting = 0
  /// Whether other jobs may have to run than those that do.
  var mustDispatch = false

  init(_ program: Program, _ simulation: Simulation, until horizon: Int) {
    self.program = program
    self.horizon = horizon
    self.simulation = simulation
    policy = simulation.policy
    switch simulation.dispatching {
    case .fixedPriority: (quantum, interval) = (.max, nil)
    case .roundRobin(let quantum):
      precondition(quantum > 0, "a turn takes 1 tick or more")
      (self.quantum, interval) = (quantum, nil)
    case .ageing(let interval):
      precondition(interval > 0, "growing older takes 1 tick or more")
      (quantum, self.interval) = (.max, interval)
    }
    jobs = simulation.tasks.jobs.map { Activity($0, until: horizon) }
    cores = Array(repeating: Core(), count: simulation.cores)
    holders = Array(repeating: nil, count: simulation.tasks.locks.count)
    responses = Array(repeating: [], count: jobs.count)
  }

  mutating func run() -> Simulation {
    while true {
      arrive()
      settle()
      guard let next = nextInstant() else { break }
      elapse(until: next)
      finish()
    }
    for job in jobs.indices { closeBooks(of: job) }
    simulation.responses = responses.flatMap { $0 }
    simulation.end = now
    return simulation
  }

  // MARK: One instant

  /// Releases the jobs and wakes the suspended ones whose time has come.
  private mutating func arrive() {
    for job in jobs.indices {
      if jobs[job].nextRelease == now {
        let next = jobs[job].period.map { now + $0 }
        jobs[job].nextRelease = next.map { $0 < horizon ? $0 : .max } ?? .max
        jobs[job].released += 1
        simulation.events += 1
        if jobs[job].status == .idle { begin(job, release: now) }
      }
      if jobs[job].status == .waiting, jobs[job].wakes == now {
        simulation.events += 1
        makeReady(job)
      }
    }
  }

  /// Gives out the cores and lets jobs do what takes no time, until all that have a core compute.
  private mutating func settle() {
    while true {
      if mustDispatch { dispatch() }
      var next: Int?
      for case let job? in cores.lazy.map(\.job) where jobs[job].remaining == 0 {
        if next.map({ precedes(job, $0) }) ?? true { next = job }
      }
      guard let job = next else { return }
      advance(job)
    }
  }

  /// Lets those that have computed enough do what needs no more computing: give back locks, suspend
  /// themselves, end. Jobs that are released at this very instant come too late for that, but not for a
  /// lock that is asked for now.
  private mutating func finish() {
    for core in cores.indices {
      guard let job = cores[core].job else { continue }
      scan: while jobs[job].status == .running, jobs[job].remaining == 0 {
        switch program.operations[job][jobs[job].operation] {
        case .unlock, .wait, .end, .compute(0): advance(job)
        case .compute, .lock: break scan
        }
      }
      if jobs[job].status == .running, jobs[job].quantum == 0 {
        simulation.events += 1
        makeReady(job)
        cores[core].job = nil
      }
    }
    if interval != nil { reprioritize() }
  }

  private func nextInstant() -> Int? {
    var next = Int.max
    for job in jobs.indices {
      next = min(next, jobs[job].nextRelease)
      switch jobs[job].status {
      case .running: next = min(next, now + min(jobs[job].remaining, jobs[job].quantum))
      case .waiting: next = min(next, jobs[job].wakes)
      case .ready: if let interval { next = min(next, now + interval - jobs[job].age % interval) }
      case .idle, .blocked: break
      }
    }
    return next == .max ? nil : next
  }

  // MARK: One job

  private mutating func begin(_ job: Int, release: Int) {
    jobs[job].number += 1
    jobs[job].release = release
    jobs[job].operation = 0
    jobs[job].sections = 0
    jobs[job].age = 0
    jobs[job].priority = jobs[job].base
    makeReady(job)
  }

  mutating func makeReady(_ job: Int) {
    jobs[job].status = .ready
    jobs[job].turn = turns
    jobs[job].quantum = quantum
    turns += 1
    mustDispatch = true
  }

  /// Does the next operation of a job that runs and has nothing to compute.
  private mutating func advance(_ job: Int) {
    takeUp(job)
    switch program.operations[job][jobs[job].operation] {
    case .compute(let time):
      jobs[job].remaining = time
    case .lock(let lock):
      simulation.events += 1
      if let blocker = blocker(of: job, at: lock) {
        block(job, at: lock, by: blocker)
        return
      }
      take(lock, job)
    case .unlock(let lock):
      simulation.events += 1
      giveBack(lock, job)
    case .wait(let time):
      if time > 0 {
        simulation.events += 1
        jobs[job].status = .waiting
        jobs[job].wakes = now + time
        leaveCore(job)
      }
    case .end:
      simulation.events += 1
      jobs[job].status = .idle
      leaveCore(job)
      respond(job, release: jobs[job].release, number: jobs[job].number, completion: now)
      // A later release may have been waiting for this one.
      if jobs[job].released > jobs[job].number, let period = jobs[job].period {
        begin(job, release: jobs[job].release + period)
      }
      return
    }
    jobs[job].operation += 1
  }

  mutating func leaveCore(_ job: Int) {
    for core in cores.indices where cores[core].job == job { cores[core].job = nil }
    mustDispatch = true
  }

  // MARK: Cores

  private func precedes(_ job: Int, _ other: Int) -> Bool {
    if jobs[job].priority != jobs[other].priority {
      return jobs[job].priority > jobs[other].priority
    }
    let runs = jobs[job].status == .running
    if runs != (jobs[other].status == .running) { return runs }
    return jobs[job].turn < jobs[other].turn
  }

  /// Gives the cores to the most urgent jobs; who runs stays where it is, and an equally urgent one
  /// does not displace it.
  private mutating func dispatch() {
    mustDispatch = false
    var chosen = 0
    while chosen < cores.count {
      var best: Int?
      for job in jobs.indices
      where (jobs[job].status == .ready || jobs[job].status == .running) && !jobs[job].isChosen {
        if best.map({ precedes(job, $0) }) ?? true { best = job }
      }
      guard let best else { break }
      jobs[best].isChosen = true
      chosen += 1
    }
    for core in cores.indices {
      guard let job = cores[core].job, !jobs[job].isChosen else { continue }
      jobs[job].status = .ready
      cores[core].job = nil
    }
    for job in jobs.indices where jobs[job].isChosen {
      jobs[job].isChosen = false
      if jobs[job].status == .running { continue }
      jobs[job].status = .running
      let core =
        cores.firstIndex { $0.job == nil && $0.lastJob == job }
        ?? cores.firstIndex { $0.job == nil }
      cores[core!].job = job
    }
  }

  /// Counts a context switch if the core of a job has worked on something else before.
  mutating func takeUp(_ job: Int) {
    for core in cores.indices where cores[core].job == job {
      if cores[core].lastJob == job, cores[core].lastNumber == jobs[job].number { return }
      cores[core].lastJob = job
      cores[core].lastNumber = jobs[job].number
      simulation.contextSwitches += 1
      simulation.events += 1
    }
  }
}
