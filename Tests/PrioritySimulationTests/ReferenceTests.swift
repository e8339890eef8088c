import PrioritySimulation
import Testing

/// The simulator against a second one that is plain and slow: it goes tick by tick, keeps no priorities,
/// queues or statuses, and works out from who holds what who may run. One core, fixed and distinct
/// priorities, no suspension.
struct ReferenceTests {
  @Test func `both simulators give the same schedule`() throws {
    let shape = Shape(nesting: .anyOrder)
    let reports = try forRandomTaskSets(shape, salt: 8) { tasks, random in
      let policy = LockingProtocol.all[random.int(0...6)]
      let simulation = try simulate(tasks, under: policy, until: Shape.horizon)
      var reference = Reference(tasks, policy)
      let expected = reference.order(until: Shape.horizon, ticks: simulation.end)
      var actual = Array(repeating: -1, count: simulation.end)
      for (span, _) in simulation.runs { for tick in span.time { actual[tick] = span.job } }
      return actual == expected ? nil : "\(policy): \(actual)\nis not\n\(expected)"
    }
    #expect(reports.isEmpty)
  }
}

private struct Reference {
  private struct State {
    var backlog = 0
    var next = 0
    var done = 0
    var held: [String] = []
    /// Actors: the one to be entered again, and whether it has left the one that it was in.
    var outside: String?
    var hasLeft = false
    /// When it first asked for the lock that it wants.
    var asked: Int?
  }

  private let tasks: TaskSet
  private let policy: LockingProtocol
  private var states: [State]
  private var clock = 0

  init(_ tasks: TaskSet, _ policy: LockingProtocol) {
    self.tasks = tasks
    self.policy = policy
    states = tasks.jobs.map { _ in State() }
  }

  /// For each tick the job that runs, or −1.
  mutating func order(until horizon: Int, ticks: Int) -> [Int] {
    var order: [Int] = []
    for tick in 0..<ticks {
      if let last = order.last, last >= 0 { finish(last) }
      for (job, given) in tasks.jobs.enumerated()
      where tick < horizon && tick >= given.release
        && (tick - given.release) % given.period! == 0
      {
        states[job].backlog += 1
      }
      var running = mostUrgent()
      while let job = running, !computes(job) {
        act(job)
        running = mostUrgent()
      }
      if let job = running { states[job].done += 1 }
      order.append(running ?? -1)
    }
    return order
  }

  private func segment(_ job: Int) -> Segment? {
    if let lock = states[job].outside { return .lock(lock) }
    let segments = tasks.jobs[job].segments
    return states[job].next < segments.count ? segments[states[job].next] : nil
  }

  private func computes(_ job: Int) -> Bool {
    if case .compute(let time)? = segment(job) { states[job].done < time } else { false }
  }

  /// What a job that has just computed does before anything else happens.
  private mutating func finish(_ job: Int) {
    while !computes(job) {
      let segment = segment(job)
      if case .lock? = segment {
        states[job].hasLeft = policy == .actor
        return
      }
      // A segment to compute that has not begun is for later.
      if case .compute? = segment, states[job].done == 0 { return }
      act(job)
      if segment == nil { return }
    }
  }

  private mutating func act(_ job: Int) {
    clock += 1
    switch segment(job) {
    case .lock(let lock)?:
      if policy == .actor, !states[job].held.isEmpty, !states[job].hasLeft {
        states[job].hasLeft = true
        return
      }
      if states[job].asked == nil { states[job].asked = clock }
      // Who cannot have it stays where it is, and is not eligible any more.
      if blocker(of: job) != nil { return }
      states[job].asked = nil
      states[job].hasLeft = false
      if states[job].outside != nil {
        states[job].outside = nil
      } else {
        states[job].held.append(lock)
        states[job].next += 1
      }
    case .unlock?:
      states[job].held.removeLast()
      states[job].next += 1
      if policy == .actor {
        states[job].outside = states[job].held.last
        states[job].hasLeft = states[job].outside != nil
      }
    case .compute?, .wait?:
      states[job].next += 1
      states[job].done = 0
    case nil:
      states[job].next = 0
      states[job].backlog -= 1
    }
  }

  /// Who holds a lock: of a job in nested actors, only the innermost one.
  private func holder(of lock: String) -> Int? {
    states.firstIndex {
      policy == .actor
        ? !$0.hasLeft && $0.held.last == lock : $0.held.contains(lock)
    }
  }

  private func blocker(of job: Int) -> Int? {
    guard states[job].asked != nil, case .lock(let lock)? = segment(job) else { return nil }
    switch policy {
    case .originalCeiling:
      let others = tasks.locks.map(\.name).filter { (holder(of: $0) ?? job) != job }
      let highest = others.max { tasks.ceiling(of: $0) < tasks.ceiling(of: $1) }
      guard let highest, tasks.ceiling(of: highest) >= tasks.jobs[job].priority else { return nil }
      return holder(of: highest)
    case .fifoQueue, .fifoQueueWithOverride:
      if let holder = holder(of: lock) { return holder }
      let line = states.indices.filter { states[$0].asked != nil && segment($0) == .lock(lock) }
      let first = line.min { states[$0].asked! < states[$1].asked! }
      return first == job ? nil : first
    default:
      let holder = holder(of: lock)
      return holder == job ? nil : holder
    }
  }

  /// The priority of a job: its own, its ceilings', or that of the most urgent one it keeps waiting.
  private func priority(of job: Int) -> Int {
    var priority = tasks.jobs[job].priority
    switch policy {
    case .noProtocol, .fifoQueue: break
    case .immediateCeiling:
      for lock in states[job].held { priority = max(priority, tasks.ceiling(of: lock)) }
    default:
      for other in states.indices where other != job && tasks.jobs[other].priority > priority {
        var next = blocker(of: other)
        var steps = 0
        while let blocker = next, steps < states.count {
          if blocker == job { priority = max(priority, tasks.jobs[other].priority) }
          next = self.blocker(of: blocker)
          steps += 1
        }
      }
    }
    return priority
  }

  private func mostUrgent() -> Int? {
    let eligible = states.indices.filter { states[$0].backlog > 0 && blocker(of: $0) == nil }
    // Who holds a lock is ahead of who is equally urgent.
    let keys = eligible.map { (priority(of: $0), states[$0].held.isEmpty ? 0 : 1, $0) }
    return keys.max { $0 < $1 }?.2
  }
}
