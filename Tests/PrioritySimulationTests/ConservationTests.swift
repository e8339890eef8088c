import PrioritySimulation
import Testing

/// Whatever the protocol, the dispatching and the number of cores: work is neither lost nor done twice, a
/// lock has one holder, and no core idles beside a job that could run.
@Suite(.timeLimit(.minutes(30))) struct ConservationTests {
  static let dispatchings: [Dispatching] = [
    .fixedPriority, .roundRobin(quantum: 3), .ageing(interval: 4),
  ]

  @Test func `work is conserved`() throws {
    var deadlocks: [LockingProtocol: Int] = [:]
    let shape = Shape(nesting: .anyOrder, hasWaits: true, hasTies: true)
    let reports = try forRandomTaskSets(shape, salt: 6) { tasks, random in
      let policy = LockingProtocol.all[random.int(0...6)]
      let dispatching = Self.dispatchings[random.int(0...2)]
      let cores = random.int(1...3)
      let simulation = try simulate(
        tasks, under: policy, dispatching: dispatching, cores: cores, until: Shape.horizon)
      if !simulation.deadlocks.isEmpty { deadlocks[policy, default: 0] += 1 }
      return fault(in: simulation).map { "\(policy), \(dispatching), \(cores) cores: \($0)" }
    }
    #expect(reports.isEmpty)
    #expect(deadlocks[.actor] == nil)
    #expect(deadlocks[.inheritance] != nil || !isEnough)
  }

  @Test func `under the original ceiling nothing deadlocks on several cores either`() throws {
    let shape = Shape(nesting: .anyOrder, hasTies: true)
    let reports = try forRandomTaskSets(shape, salt: 7) { tasks, random in
      let simulation = try simulate(
        tasks, under: .originalCeiling, cores: random.int(2...3), until: Shape.horizon)
      return simulation.deadlocks.isEmpty ? nil : "\(simulation.deadlocks)"
    }
    #expect(reports.isEmpty)
  }

  /// What is wrong with a simulation; nil if nothing is.
  private func fault(in simulation: Simulation) -> String? {
    let tasks = simulation.tasks
    let runs = simulation.runs.sorted { $0.span.time.lowerBound < $1.span.time.lowerBound }
    // For each job and release the ticks in which it computed.
    var ticks = tasks.jobs.map { job in
      Array(repeating: [Int](), count: simulation.responses(of: job.name).count)
    }
    for (span, _) in runs { ticks[span.job][span.number - 1] += Array(span.time) }
    // Each release that is done has done all its work, and any other at most all.
    var isDone = true
    for (job, given) in tasks.jobs.enumerated() {
      let responses = simulation.responses(of: given.name)
      let releases = max(0, (Shape.horizon - given.release - 1) / given.period! + 1)
      if responses.map(\.number) != Array(1...releases) { return "releases lost: \(given.name)" }
      let demand = given.demand
      for response in responses {
        let work = ticks[job][response.number - 1].count
        if response.completion == nil { isDone = false }
        if response.completion != nil ? work != demand : work > demand {
          return "\(given.name) computed \(work) of \(demand)"
        }
        if response.blocked > (response.time ?? .max) { return "blocked for too long" }
        if response.release != given.release + (response.number - 1) * given.period! {
          return "released at a wrong time: \(response)"
        }
      }
    }
    if isDone != simulation.deadlocks.isEmpty { return "not done, or a deadlock that was none" }
    return coreFault(in: simulation, runs) ?? lockFault(in: simulation, ticks)
  }

  /// Whether a core does two things at once, or idles beside a job that is ready.
  private func coreFault(in simulation: Simulation, _ runs: [(span: Span, core: Int)]) -> String? {
    var free = Array(repeating: 0, count: simulation.cores)
    var busy = Array(repeating: 0, count: simulation.end)
    for (span, core) in runs {
      if span.time.lowerBound < free[core] {
        return "core \(core) does two things at \(span.time.lowerBound)"
      }
      free[core] = span.time.upperBound
      for tick in span.time { busy[tick] += 1 }
    }
    for span in simulation.spans where span.activity == .ready {
      for tick in span.time where busy[tick] < simulation.cores { return "a core idles at \(tick)" }
    }
    return nil
  }

  /// Whether two releases are in sections of one lock at once, told from when they did which work.
  private func lockFault(in simulation: Simulation, _ ticks: [[[Int]]]) -> String? {
    var holders = Dictionary(
      uniqueKeysWithValues: simulation.tasks.locks.map {
        ($0.name, Array(repeating: false, count: simulation.end))
      })
    for (job, releases) in zip(simulation.tasks.jobs, ticks) {
      let sections = job.sections
      for ticks in releases {
        for section in sections where section.work.lowerBound < ticks.count {
          let work = section.work.clamped(to: 0..<ticks.count)
          guard let first = work.first, let last = work.last else { continue }
          // From the first tick to the last, or, since an actor is left at each suspension, each tick by
          // itself if it is in no inner section.
          let held =
            simulation.policy.holdsWhileSuspended
            ? Array(ticks[first]...ticks[last])
            : work.filter { tick in
              !sections.contains { $0.depth > section.depth && $0.work.contains(tick) }
            }.map { ticks[$0] }
          for tick in held {
            if holders[section.lock]![tick] {
              return "\(section.lock) has two holders at \(tick)"
            }
            holders[section.lock]![tick] = true
          }
        }
      }
    }
    return nil
  }
}
