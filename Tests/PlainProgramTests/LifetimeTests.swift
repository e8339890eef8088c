import Foundation
import Interleaving
import PlainPrograms
import Synchronization
import Testing

/// Who drops the last reference to an object, what its end does, and what a weak or unowned reference finds.
@Suite(.requiresWatching) struct LifetimeTests {
  private static let strategies: [Strategy] = [
    .exhaustive, .reduced(assuming: .controlledSharing),
  ]
  private static let environment = ProcessInfo.processInfo.environment

  @Test(arguments: LifetimeProgram.all, [Runner.tasks, .strands])
  func `every outcome is explored, and no other`(
    _ program: LifetimeProgram, _ runner: Runner
  ) async {
    for strategy in Self.strategies {
      let exploration = await explore(strategy) { await program.run(runner) }
      #expect(Set(exploration.outcomes.keys) == program.outcomes, "\(strategy) \(exploration)")
      #expect(
        exploration.failures.map(\.kind) == (program.traps ? [.trap] : []),
        "\(strategy) \(exploration)")
      #expect(exploration.isComplete, "\(strategy) \(exploration)")
    }
  }

  @Test(arguments: LifetimeProgram.all.filter { !$0.traps }, [Runner.tasks, .threads])
  func `what really happens is among them`(_ program: LifetimeProgram, _ runner: Runner) async {
    let runs = Self.environment["REAL_RUNS"].flatMap(Int.init) ?? 200
    var seen: Set<String> = []
    for _ in 0..<runs { seen.insert(await program.run(runner)) }
    #expect(seen.isSubset(of: program.outcomes), "\(seen)")
  }

  /// `PROGRAMS` sets how many, `SEED` which, and `REAL_RUNS` how often each runs on real threads.
  @Test(arguments: [Runner.tasks, .strands])
  func `programs drawn by lot come to what every order of their acts comes to`(
    _ runner: Runner
  ) async throws {
    let count = Self.environment["PROGRAMS"].flatMap(Int.init) ?? 5
    let seed = Self.environment["SEED"].flatMap(UInt64.init) ?? (runner == .tasks ? 50 : 51)
    let runs = Self.environment["REAL_RUNS"].flatMap(Int.init) ?? 20
    var random = Lottery(seed: seed)
    var (compared, reduced, exhaustive) = (0, 0, 0)
    for number in 0..<count {
      let plan = LifetimePlan.random(using: &random)
      let name = "program \(number) of seed \(seed): \(plan)"
      let expected = LifetimeModel.outcomes(of: plan)
      for _ in 0..<runs {
        let seen = await plan.run(runner == .tasks ? .tasks : .threads)
        #expect(expected.contains(seen), "\(name) \(seen)")
      }
      let exploration = await explore(.reduced(assuming: .controlledSharing), limit: 20_000) {
        await plan.run(runner)
      }
      let outcomes = Set(exploration.outcomes.keys)
      if case .scheduleLimit = exploration.completeness {
        #expect(outcomes.isSubset(of: expected), "\(name) \(exploration)")
        continue
      }
      #expect(exploration.isComplete && exploration.failures.isEmpty, "\(name) \(exploration)")
      #expect(outcomes == expected, "\(name) wants \(expected) \(exploration)")
      let all = await explore(.exhaustive, limit: 5_000) { await plan.run(runner) }
      #expect(all.failures.isEmpty, "\(name) \(all)")
      #expect(Set(all.outcomes.keys).isSubset(of: expected), "\(name) \(all)")
      guard all.isComplete else { continue }
      compared += 1
      (reduced, exhaustive) = (reduced + exploration.schedules, exhaustive + all.schedules)
      #expect(Set(all.outcomes.keys) == expected, "\(name) wants \(expected) \(all)")
    }
    print(
      "\(runner), seed \(seed): \(count) programs; \(compared) in every order, \(exhaustive) schedules and "
        + "\(reduced) reduced")
  }

  /// How many schedules a few programs take, reduced.
  @Test func `what is always held costs nothing, and each who drops what tells of its end counts`()
    async
  {
    func schedules(_ name: String, _ runner: Runner) async -> Int {
      let program = LifetimeProgram.all.first { $0.name == name }!
      let exploration = await explore(.reduced(assuming: .controlledSharing)) {
        await program.run(runner)
      }
      #expect(exploration.isComplete, "\(exploration)")
      return exploration.schedules
    }
    for runner in [Runner.tasks, .strands] {
      #expect(await schedules("a weak reference to what is held all the time", runner) == 1)
      #expect(await schedules("an end that logs", runner) <= 6)
    }
  }

  private final class Ends: Sendable {
    let names = Mutex<[String]>([])
  }

  private final class Token: Sendable {
    let number = 1
    private let ends: Ends
    init(_ ends: Ends) { self.ends = ends }
    deinit { ends.names.withLock { $0.append(Task.name ?? "scenario") } }
  }

  @Test(arguments: strategies)
  func `each who has had a reference may drop the last`(_ strategy: Strategy) async {
    let exploration = await explore(strategy) {
      let ends = Ends()
      var tasks: [Task<Int, Never>] = []
      do {
        let token = Token(ends)
        tasks = ["first", "second"].map { Task(name: $0) { token.number } }
      }
      for task in tasks { _ = await task.value }
      return ends.names.withLock { $0 }
    }
    #expect(
      Set(exploration.outcomes.keys) == [["first"], ["second"], ["scenario"]], "\(exploration)")
    #expect(exploration.isComplete, "\(exploration)")
  }

  @Test(arguments: strategies)
  func `a weak reference finds its object until the last has dropped it`(
    _ strategy: Strategy
  ) async {
    let exploration = await explore(strategy) {
      var token: Token? = Token(Ends())
      let isThere = Task { [weak token] in token != nil }
      let user = Task { [token] in token?.number }
      token = nil
      _ = await user.value
      return await isThere.value
    }
    #expect(Set(exploration.outcomes.keys) == [true, false], "\(exploration)")
    #expect(exploration.isComplete, "\(exploration)")
  }
}
