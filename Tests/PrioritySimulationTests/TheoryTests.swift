import PrioritySimulation
import Testing

/// What Sha, Rajkumar and Lehoczky (1990) prove, and response-time analysis, on random task sets on one
/// core.
@Suite(.timeLimit(.minutes(30))) struct TheoryTests {
  static let ceilings = [LockingProtocol.originalCeiling, .immediateCeiling]

  @Test(arguments: ceilings)
  func `under a ceiling protocol a job is blocked once, for one section, and nothing deadlocks`(
    policy: LockingProtocol
  ) throws {
    var blocked = 0
    var rescued = 0
    let shape = Shape(nesting: .anyOrder, hasTies: true)
    let reports = try forRandomTaskSets(shape, salt: 1) { tasks, _ in
      let simulation = try simulate(tasks, under: policy, until: Shape.horizon)
      if !simulation.deadlocks.isEmpty { return "\(simulation.deadlocks)" }
      for response in simulation.responses {
        if response.completion == nil { return "never done: \(response)" }
        let priority = tasks.jobs.first { $0.name == response.job }!.priority
        if response.blocking.count > 1 { return "blocked more than once: \(response)" }
        for blocking in response.blocking {
          blocked += 1
          if blocking.section == nil { return "blocked outside a section: \(response)" }
          if blocking.time > tasks.longestSection(below: priority) - 1 {
            return "blocked for longer than a section: \(response)"
          }
        }
      }
      if try !simulate(tasks, under: .inheritance, until: Shape.horizon).deadlocks.isEmpty {
        rescued += 1
      }
      return nil
    }
    #expect(reports.isEmpty)
    // The claim is not empty: jobs were blocked, and many of these sets can deadlock.
    #expect(blocked > count / 4)
    #expect(rescued > count / 100 || !isEnough)
    print("\(policy): \(blocked) releases blocked, \(rescued) sets deadlock under inheritance")
  }

  @Test
  func `under inheritance a job is blocked by no more sections than less urgent jobs, or locks`()
    throws
  {
    var most = 0
    let shape = Shape(nesting: .ordered, hasTies: true)
    let reports = try forRandomTaskSets(shape, salt: 2) { tasks, _ in
      let simulation = try simulate(tasks, under: .inheritance, until: Shape.horizon)
      if !simulation.deadlocks.isEmpty { return "\(simulation.deadlocks)" }
      for response in simulation.responses {
        let priority = tasks.jobs.first { $0.name == response.job }!.priority
        let lower = tasks.jobs.filter { $0.priority < priority }
        let locks = Set(lower.flatMap(\.sections).map(\.lock))
        most = max(most, response.blocking.count)
        if response.blocking.count > min(lower.count, locks.count) {
          return "blocked too often: \(response)"
        }
        if response.blocking.contains(where: { $0.section == nil }) {
          return "blocked outside a section: \(response)"
        }
      }
      return nil
    }
    #expect(reports.isEmpty)
    // Some job is blocked by several.
    #expect(most >= 2 || !isEnough)
  }

  static let bounded: [(LockingProtocol, [Shape.Nesting])] = [
    (.originalCeiling, [.anyOrder]), (.immediateCeiling, [.anyOrder]),
    (.inheritance, [.none, .ordered]), (.fifoQueueWithOverride, [.none, .ordered]),
    (.actor, [.anyOrder]),
  ]

  @Test(arguments: bounded)
  func `no response exceeds response-time analysis with blocking`(
    policy: LockingProtocol, nestings: [Shape.Nesting]
  ) throws {
    var bounds = 0
    var reached = 0
    let shapes = (nestings + nestings).map { Shape(nesting: $0, hasTies: true) }
    let reports = try forRandomTaskSets(shapes[0], shapes[1], salt: 3) { tasks, _ in
      let analysis = try ResponseTimeAnalysis(tasks, under: policy)
      let simulation = try simulate(tasks, under: policy, until: Shape.horizon)
      for job in tasks.jobs {
        let responses = simulation.responses(of: job.name)
        if let bound = analysis.blocking(of: job.name) {
          let longest = responses.map(\.blocked).max() ?? 0
          if longest > bound { return "\(job.name) blocked for \(longest), not \(bound)" }
        }
        if let bound = analysis.response(of: job.name) {
          bounds += 1
          guard let longest = responses.compactMap(\.time).max() else { return "no response" }
          if longest > bound { return "\(job.name) takes \(longest), not \(bound)" }
          if longest == bound { reached += 1 }
        }
      }
      return nil
    }
    #expect(reports.isEmpty)
    #expect(bounds > count)
    print("\(policy): \(bounds) bounds, \(reached) of them reached")
  }

  @Test(arguments: ceilings)
  func `the bound is reached where the blocker locked right before the critical instant`(
    policy: LockingProtocol
  ) throws {
    var tried = 0
    let shape = Shape(nesting: .anyOrder)
    let reports = try forRandomTaskSets(shape, salt: 4) { tasks, random in
      let job = tasks.jobs[random.int(0...tasks.jobs.count - 1)]
      let others = tasks.jobs.filter { $0.priority >= job.priority }
      let blockers = tasks.jobs.filter { $0.priority < job.priority }.flatMap { blocker in
        blocker.sections.map { (job: blocker, section: $0) }
      }
      let ceilings = Dictionary(
        uniqueKeysWithValues: tasks.locks.map { ($0.name, tasks.ceiling(of: $0.name)) })
      let longest = blockers.filter { ceilings[$0.section.lock]! >= job.priority }
        .max { $0.section.work.count < $1.section.work.count }
      guard var blocker = longest?.job, let section = longest?.section, !section.work.isEmpty else {
        return nil
      }
      // The blocker has computed for one tick in its section when all others are released.
      blocker.release = 0
      blocker.period = nil
      let instant = section.work.lowerBound + 1
      var worst = TaskSet(jobs: [blocker], locks: tasks.locks)
      for var other in others {
        other.release = instant
        // What a job does last, it does without a lock: else it may end early, its priority still raised.
        other.segments.append(.compute(1))
        worst.jobs.append(other)
      }
      let analysis = try ResponseTimeAnalysis(worst, under: policy)
      guard let bound = analysis.response(of: job.name) else { return nil }
      tried += 1
      let simulation = try simulate(worst, under: policy, until: instant + bound)
      let time = simulation.responses(of: job.name)[0].time
      return time == bound ? nil : "\(job.name) takes \(time ?? -1), not \(bound)"
    }
    #expect(reports.isEmpty)
    #expect(tried > count / 8)
    print("\(policy): \(tried) bounds reached")
  }

  @Test func `under inheritance the bound is reached by one section of each less urgent job`()
    throws
  {
    // Two locks are held when the job that wants both is released.
    let section = { (lock: String, time: Int) -> [Segment] in
      [.lock(lock), .compute(time), .unlock(lock)]
    }
    let tasks = TaskSet(
      jobs: [
        Job("high", priority: 3, release: 2, section("A", 2) + section("B", 2) + [.compute(1)]),
        Job("middle", priority: 2, release: 1, section("A", 7)),
        Job("low", priority: 1, section("B", 5)),
      ],
      locks: ["A", "B"])
    let bound = try ResponseTimeAnalysis(tasks, under: .inheritance).response(of: "high")
    #expect(bound == 5 + 6 + 4)
    let simulation = try simulate(tasks, under: .inheritance)
    #expect(simulation.responses[0].time == bound)
    #expect(simulation.responses[0].blocking.map(\.time) == [6, 4])
  }

  @Test func `what an inner lock brings in counts, too`() throws {
    // The lock of low is not one that high or anything more urgent uses, but middle nests it.
    let tasks = TaskSet(
      jobs: [
        Job("high", priority: 3, release: 2, [.lock("A"), .compute(1), .unlock("A")]),
        Job(
          "middle", priority: 2, release: 1,
          [.lock("A"), .compute(1), .lock("B"), .compute(1), .unlock("B"), .unlock("A")]),
        Job("low", priority: 1, [.lock("B"), .compute(5), .unlock("B")]),
      ],
      locks: ["A", "B"])
    #expect(try ResponseTimeAnalysis(tasks, under: .inheritance).blocking(of: "high") == 2 + 5)
    #expect(try simulate(tasks, under: .inheritance).responses[0].blocked == 1 + 4)
    // Under the ceiling protocols one section is all.
    #expect(try ResponseTimeAnalysis(tasks, under: .originalCeiling).blocking(of: "high") == 2 - 1)
  }

  @Test func `under a FIFO queue with override the bound is reached by a whole line`() throws {
    let section: [Segment] = [.lock("Q"), .compute(4), .unlock("Q")]
    let tasks = TaskSet(
      jobs: (1...4).map { Job("\($0)", priority: $0, release: $0 - 1, section) }, locks: ["Q"])
    let policy = LockingProtocol.fifoQueueWithOverride
    let analysis = try ResponseTimeAnalysis(tasks, under: policy)
    #expect(analysis.blocking(of: "4") == 3 + 3 + 3)
    #expect(try simulate(tasks, under: policy).responses[3].blocking.map(\.time) == [1, 4, 4])
    #expect(try simulate(tasks, under: policy).responses[3].time == analysis.response(of: "4"))
  }

  @Test func `without a lock the first response from the critical instant is the analysis`() throws
  {
    let reports = try forRandomTaskSets(Shape(), salt: 5) { tasks, _ in
      var tasks = tasks
      for index in tasks.jobs.indices {
        tasks.jobs[index].release = 0
        tasks.jobs[index].segments = [.compute(max(1, tasks.jobs[index].demand))]
      }
      let analysis = try ResponseTimeAnalysis(tasks, under: .noProtocol)
      // A bound is at most a period.
      let simulation = try simulate(tasks, under: .noProtocol, until: 200)
      for job in tasks.jobs {
        guard let bound = analysis.response(of: job.name) else { continue }
        let time = simulation.responses(of: job.name)[0].time
        if time != bound { return "\(job.name) takes \(time ?? -1), not \(bound)" }
      }
      return nil
    }
    #expect(reports.isEmpty)
  }

  @Test func `without boosting, or where jobs suspend themselves, there is no bound`() throws {
    for policy in [LockingProtocol.noProtocol, .fifoQueue] {
      let analysis = try ResponseTimeAnalysis(.inversion(middle: 5), under: policy)
      #expect(analysis.blocking(of: "high") == nil)
      #expect(analysis.response(of: "high") == nil)
    }
    var tasks = TaskSet.inversion(middle: 5)
    #expect(try ResponseTimeAnalysis(tasks, under: .inheritance).response(of: "high") == 39)
    tasks.jobs[1].segments.append(.wait(1))
    #expect(try ResponseTimeAnalysis(tasks, under: .inheritance).response(of: "high") == nil)
    #expect(try ResponseTimeAnalysis(tasks, under: .inheritance).response(of: "nobody") == nil)
    // Without a lock, too: the response is longer than what is computed.
    let alone = TaskSet(jobs: [Job("reader", priority: 1, [.compute(1), .wait(10), .compute(1)])])
    #expect(try simulate(alone, under: .inheritance).responses[0].time == 12)
    #expect(try ResponseTimeAnalysis(alone, under: .inheritance).response(of: "reader") == nil)
    #expect(try ResponseTimeAnalysis(alone, under: .inheritance).blocking(of: "reader") == nil)
  }
}
