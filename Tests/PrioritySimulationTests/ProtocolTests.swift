import Testing

@testable import PrioritySimulation

/// What tells the protocols, the dispatchings and the numbers of cores apart.
struct ProtocolTests {
  static func section(_ lock: String, _ time: Int) -> [Segment] {
    [.lock(lock), .compute(time), .unlock(lock)]
  }

  // MARK: Inversion

  @Test func `without a protocol the wait grows with the middle's work, with one it does not`()
    throws
  {
    for middle in [0, 10, 100, 1_000, 1_000_000] {
      for policy in LockingProtocol.all {
        let high = try simulate(.inversion(middle: middle), under: policy).responses[0]
        #expect(high.blocked == (policy.boost == .nothing ? 19 + middle : 19), "\(policy)")
        #expect(high.time == high.blocked + 20)
      }
    }
  }

  @Test func `what blocks is named`() throws {
    let high = try simulate(.inversion(middle: 30), under: .noProtocol).responses[0]
    #expect(
      high.blocking == [
        Blocking(job: "middle", number: 1, section: nil, lock: nil, time: 30),
        Blocking(job: "low", number: 1, section: 1, lock: "lock", time: 19),
      ])
  }

  @Test
  func `Mars Pathfinder misses its deadline when the medium task is busy, not with inheritance`()
    throws
  {
    func late(_ medium: Int, _ policy: LockingProtocol) throws -> [Int] {
      try simulate(.marsPathfinder(medium: medium), under: policy, until: 5_000).responses
        .filter(\.isLate).map(\.release)
    }
    #expect(try late(20, .noProtocol).isEmpty)
    #expect(try late(60, .noProtocol) == Array(stride(from: 50, to: 5_000, by: 500)))
    #expect(try late(60, .inheritance).isEmpty)
    #expect(try late(60, .originalCeiling).isEmpty)
    #expect(try late(60, .immediateCeiling).isEmpty)
  }

  // MARK: Inheritance

  @Test func `inheritance goes on through a chain of locks`() throws {
    let tasks = TaskSet(
      jobs: [
        Job("4", priority: 4, release: 6, Self.section("A", 1)),
        Job("3", priority: 3, release: 6, [.compute(50)]),
        Job(
          "2", priority: 2, release: 2,
          [.lock("A"), .compute(2)] + Self.section("B", 2) + [.unlock("A")]),
        Job("1", priority: 1, Self.section("B", 5)),
      ],
      locks: ["A", "B"])
    // In whichever order the jobs stand.
    for tasks in [tasks, TaskSet(jobs: tasks.jobs.reversed(), locks: tasks.locks)] {
      let simulation = try simulate(tasks, under: .inheritance)
      #expect(simulation.order().prefix(12) == "112211122433")
      let low = tasks.jobs.firstIndex { $0.name == "1" }
      let raised = simulation.runs.map(\.span).filter { $0.job == low && $0.priority == 4 }
      #expect(raised.map(\.time) == [6..<7])
    }
  }

  @Test func `a job falls back to its own priority, or to the next lower one, as it unlocks`()
    throws
  {
    let tasks = TaskSet(
      jobs: [
        Job("3", priority: 3, release: 3, Self.section("B", 1)),
        Job("2", priority: 2, release: 2, Self.section("A", 1)),
        Job(
          "1", priority: 1,
          [
            .lock("A"), .lock("B"), .compute(4), .unlock("B"), .compute(2), .unlock("A"),
            .compute(3),
          ]),
      ],
      locks: ["A", "B"])
    let runs = try simulate(tasks, under: .inheritance).runs.map(\.span)
    #expect(runs.filter { $0.job == 2 }.map(\.priority) == [1, 2, 3, 2, 1])
    #expect(runs.filter { $0.job == 2 }.map(\.time) == [0..<2, 2..<3, 3..<4, 5..<7, 8..<11])
  }

  // MARK: Queues and actors

  /// The lowest job holds; then the next lowest asks, then the most urgent; then comes one in between.
  static let line = TaskSet(
    jobs: [
      Job("4", priority: 4, release: 2, section("Q", 2)),
      Job("3", priority: 3, release: 3, [.compute(5)]),
      Job("2", priority: 2, release: 1, section("Q", 2)),
      Job("1", priority: 1, section("Q", 4)),
    ],
    locks: ["Q"])

  @Test(arguments: [
    (LockingProtocol.noProtocol, "1113333314422"), (.inheritance, "1111443333322"),
    (.actor, "1111443333322"), (.fifoQueue, "1113333312244"),
    (.fifoQueueWithOverride, "1111224433333"),
  ])
  func `who is served next, and who is raised`(policy: LockingProtocol, order: String) throws {
    #expect(try simulate(Self.line, under: policy).order() == order)
  }

  @Test func `who sees another get the lock is blocked, without another try`() throws {
    let simulation = try simulate(Self.line, under: .inheritance)
    let spans = simulation.spans.filter { $0.job == 2 }
    #expect(spans.map(\.time) == [1..<6, 6..<11, 11..<13])
    #expect(
      spans.map(\.activity) == [.blocked, .ready, .running(core: 0, lock: 0)])
    // 1, 2 and 4 who are refused, 1 again after each, 4, 3, 2.
    #expect(simulation.contextSwitches == 8)
  }

  @Test func `an actor is left while a job in it is suspended`() throws {
    let tasks = TaskSet(
      jobs: [
        Job("high", priority: 2, release: 1, Self.section("A", 2)),
        Job(
          "low", priority: 1,
          [.lock("A"), .compute(2), .wait(10), .compute(2), .unlock("A")]),
      ],
      locks: ["A"])
    let held = try simulate(tasks, under: .inheritance)
    #expect(held.responses.map(\.completion) == [16, 14])
    #expect(held.responses[0].blocked == 13)
    let left = try simulate(tasks, under: .actor)
    #expect(left.responses.map(\.completion) == [4, 14])
    #expect(left.responses[0].blocked == 1)
  }

  @Test func `actors that call each other do not deadlock`() throws {
    let tasks = TaskSet(
      jobs: [("A", "B"), ("B", "C"), ("C", "A")].enumerated().map { index, locks in
        Job(
          "\(index)", priority: index, release: index,
          [.lock(locks.0), .compute(3)] + Self.section(locks.1, 2) + [
            .compute(1), .unlock(locks.0),
          ])
      },
      locks: ["A", "B", "C"])
    #expect(try simulate(tasks, under: .inheritance, cores: 3).deadlocks.count == 1)
    let actors = try simulate(tasks, under: .actor, cores: 3)
    #expect(actors.deadlocks.isEmpty)
    #expect(actors.responses.allSatisfy { $0.completion != nil })
  }

  // MARK: Dispatching

  @Test func `round robin gives equally urgent jobs turns`() throws {
    let tasks = TaskSet(
      jobs: ["a", "b", "c"].map { Job($0, priority: 1, [.compute(4)]) }
        + [Job("H", priority: 2, release: 3, [.compute(2)])])
    #expect(try simulate(tasks, under: .noProtocol).order() == "aaaHHabbbbcccc")
    let turns = try simulate(tasks, under: .noProtocol, dispatching: .roundRobin(quantum: 2))
    // The turn that was interrupted goes on.
    #expect(turns.order() == "aabHHbccaabbcc")
  }

  @Test func `ageing ends starvation`() throws {
    let tasks = TaskSet(
      jobs: [
        Job("H", priority: 3, period: 10, [.compute(10)]),
        Job("l", priority: 1, period: 500, [.compute(2)]),
      ])
    let starved = try simulate(tasks, under: .noProtocol, until: 1_000)
    #expect(starved.completion(of: "l") == 1_002)
    let aged = try simulate(
      tasks, under: .noProtocol, dispatching: .ageing(interval: 5), until: 1_000)
    // As urgent as H after 10 ticks, and ready for longer than its next release; and so again.
    #expect(aged.responses(of: "l").map(\.time) == [12, 14])
  }

  // MARK: Cores

  @Test func `two cores run the two most urgent jobs`() throws {
    let tasks = TaskSet(
      jobs: [
        Job("3", priority: 3, release: 1, [.compute(3)]),
        Job("2", priority: 2, [.compute(4)]),
        Job("1", priority: 1, [.compute(3)]),
      ])
    let simulation = try simulate(tasks, under: .noProtocol, cores: 2)
    #expect(simulation.order(core: 0) == "222211")
    #expect(simulation.order(core: 1) == "1333  ")
    #expect(simulation.contextSwitches == 4)
  }

  /// Limit: on several cores a job runs beside one whose ceiling should have kept it away.
  @Test
  func `the immediate ceiling does not prevent a deadlock on two cores, the original one does`()
    throws
  {
    let tasks = TaskSet(
      jobs: [
        Job("a", priority: 2, [.lock("A"), .compute(2), .lock("B"), .unlock("B"), .unlock("A")]),
        Job("b", priority: 1, [.lock("B"), .compute(2), .lock("A"), .unlock("A"), .unlock("B")]),
      ],
      locks: ["A", "B"])
    #expect(try simulate(tasks, under: .immediateCeiling, cores: 2).deadlocks.count == 1)
    #expect(try simulate(tasks, under: .originalCeiling, cores: 2).deadlocks.isEmpty)
    #expect(try simulate(tasks, under: .immediateCeiling).deadlocks.isEmpty)
  }

  /// Limit: so does one that suspends itself with a lock.
  @Test func `who suspends itself with a lock can block a job twice, even under a ceiling`() throws
  {
    let tasks = TaskSet(
      jobs: [
        Job("high", priority: 3, release: 2, Self.section("A", 1) + Self.section("B", 1)),
        Job("middle", priority: 2, release: 1, [.lock("B"), .wait(5), .compute(2), .unlock("B")]),
        Job("low", priority: 1, [.lock("A"), .compute(1), .wait(5), .compute(2), .unlock("A")]),
      ],
      locks: ["A", "B"])
    let high = try simulate(tasks, under: .immediateCeiling).responses[0]
    #expect(high.blocking.count == 2)
  }

  // MARK: Counting

  @Test func `the immediate ceiling spares context switches`() throws {
    let section = Self.section("A", 4)
    let tasks = TaskSet(
      jobs: [Job("high", priority: 2, release: 1, section), Job("low", priority: 1, section)],
      locks: ["A"])
    // low, high that is refused, low, high; against low, high.
    #expect(try simulate(tasks, under: .originalCeiling).contextSwitches == 4)
    #expect(try simulate(tasks, under: .immediateCeiling).contextSwitches == 2)
  }

  @Test func `a release waits for the one before it`() throws {
    let tasks = TaskSet(jobs: [Job("a", priority: 1, period: 4, deadline: 4, [.compute(5)])])
    let simulation = try simulate(tasks, under: .noProtocol, until: 12)
    #expect(simulation.responses.map(\.release) == [0, 4, 8])
    #expect(simulation.responses.map(\.completion) == [5, 10, 15])
    #expect(simulation.responses.map(\.isLate) == [true, true, true])
    #expect(simulation.contextSwitches == 3)
  }

  @Test func `late is who ends after the deadline, or never`() throws {
    func crosswise(_ outer: String, _ inner: String) -> [Segment] {
      [.lock(outer), .compute(2)] + Self.section(inner, 1) + [.unlock(outer)]
    }
    let tasks = TaskSet(
      jobs: [
        Job("in time", priority: 4, deadline: 5, [.compute(5)]),
        Job("late", priority: 3, deadline: 6, [.compute(2)]),
        Job("never", priority: 2, release: 8, deadline: 100, crosswise("A", "B")),
        Job("nor this", priority: 1, release: 7, crosswise("B", "A")),
      ],
      locks: ["A", "B"])
    let simulation = try simulate(tasks, under: .inheritance)
    #expect(simulation.responses.map(\.completion) == [5, 7, nil, nil])
    #expect(simulation.responses.map(\.isLate) == [false, true, true, false])
  }

  @Test func `what comes at one instant comes in order: ends, releases, locks`() throws {
    // The lock that low asks for at 2 is taken by high, which is released at 2.
    let asked = TaskSet(
      jobs: [
        Job("H", priority: 2, release: 2, Self.section("A", 2)),
        Job("l", priority: 1, [.compute(2)] + Self.section("A", 2)),
      ],
      locks: ["A"])
    #expect(try simulate(asked, under: .noProtocol).order() == "llHHll")
    // What low gives back at 2 is free for high.
    let given = TaskSet(
      jobs: [
        Job("H", priority: 2, release: 2, Self.section("A", 2)),
        Job("l", priority: 1, Self.section("A", 2) + [.compute(2)]),
      ],
      locks: ["A"])
    let simulation = try simulate(given, under: .noProtocol)
    #expect(simulation.order() == "llHHll")
    #expect(simulation.responses[0].blocked == 0)
    #expect(simulation.contextSwitches == 3)
  }
}
