import Foundation
import Interleaving
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(30))) struct ReplayTests {
  @Test func `a failure's schedule replays its trace, byte for byte`() async throws {
    let exploration = await explore(allowing: { $0 >= 0 }, scenario: withdrawals)
    let failure = try #require(exploration.failures.first)
    let schedule = try #require(failure.schedule)
    for _ in 1...10 {
      let again = try await replay(
        schedule.description, allowing: { $0 >= 0 }, scenario: withdrawals)
      #expect(again.schedules == 1)
      #expect(Set(again.outcomes.keys) == [-60])
      #expect(again.failures.map(\.description) == [failure.description])
      #expect(again.failures.first?.trace == failure.trace)
    }
  }

  @Test(arguments: [
    Strategy.exhaustive, .reduced(assuming: .actorIsolation), .random(seed: 5),
    .pct(seed: 5, depth: 3),
  ])
  func `the schedule shown has the fewest switches, whatever the strategy`(
    strategy: Strategy
  ) async throws {
    let exploration = await explore(
      strategy, limit: 100, allowing: { $0 >= 0 }, scenario: withdrawals)
    // The scenario begins; A checks; B checks and takes; A takes; the scenario ends.
    #expect(exploration.failures.first?.trace?.switches == 4)
    #expect(exploration.outcomes[-60]?.schedule == exploration.failures.first?.schedule)
  }

  @Test func `an exploration that stops at the first failure shows it as short`() async throws {
    let exploration = await explore(
      stopsAtFailure: true, allowing: { $0 >= 0 }, scenario: withdrawals)
    #expect(exploration.completeness == .stoppedAtFailure)
    #expect(!exploration.isComplete && exploration.completeness.isCutShort)
    #expect(exploration.failures.map(\.schedules) == [1])
    #expect(exploration.schedules < 225)
    #expect(exploration.failures.first?.trace?.switches == 4)
    let clean = await explore(stopsAtFailure: true, scenario: withdrawals)
    #expect(clean.isComplete)
  }

  @Test func `an actor at the address of one that has died is another`() async throws {
    actor Counter {
      private(set) var value = 0
      func increment() { value += 1 }
    }
    let exploration = await explore(allowing: [1].contains) {
      for _ in 0..<2 { await Counter().increment() }
      return 0
    }
    let trace = try #require(exploration.failures.first?.trace)
    #expect(Set(trace.steps.compactMap(\.actor)) == ["Counter", "Counter 2"])
  }

  @Test func `an actor with one in its line before the first shared variable is used has one line`()
    async
  {
    actor Counter {
      private(set) var value = 0
      func increment() { value += 1 }
    }
    let exploration = await explore {
      let counter = Counter()
      let shared = Shared(0)
      async let first: Void = counter.increment()
      async let second: Void = {
        shared.value = 1
        await counter.increment()
      }()
      _ = await (first, second)
      return await counter.value
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(exploration.isComplete)
    #expect(Set(exploration.outcomes.keys) == [2])
  }

  @Test func `a schedule replays whatever other schedules the tasks of tasks were first seen in`()
    async throws
  {
    actor Log {
      private(set) var text = ""
      func say(_ word: String) { text += word }
    }
    let scenario: @Sendable () async -> String = {
      let log = Log()
      async let first: Void = {
        await log.say("a")
        await Task {}.value
      }()
      async let second: Void = {
        await log.say("b")
        await Task {}.value
      }()
      _ = await (first, second)
      return await log.text
    }
    let exploration = await explore(scenario: scenario)
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    for (outcome, occurrence) in exploration.outcomes {
      let again = try await replay(occurrence.schedule.description, scenario: scenario)
      #expect(Set(again.outcomes.keys) == [outcome])
      #expect(again.failures.isEmpty, "\(again)")
    }
  }

  @Test func `every outcome comes with a schedule that gives it`() async throws {
    let exploration = await explore(scenario: withdrawals)
    for (outcome, occurrence) in exploration.outcomes {
      let again = try await replay(
        occurrence.schedule.description, scenario: withdrawals)
      #expect(Set(again.outcomes.keys) == [outcome])
      #expect(again.failures.isEmpty)
    }
    #expect(exploration.outcomes.values.map(\.schedules).reduce(0, +) == exploration.schedules)
  }

  @Test func `a schedule replays in another process`() async throws {
    let exploration = await explore(allowing: { $0 >= 0 }, scenario: withdrawals)
    let failure = try #require(exploration.failures.first)
    let schedule = try #require(failure.schedule).description
    let expected = failure.description
    await #expect(processExitsWith: .success) {
      [schedule = schedule as String, expected = expected as String] in
      let again = try await replay(
        schedule, allowing: { $0 >= 0 }, scenario: withdrawals)
      guard again.failures.map(\.description) == [expected] else { exit(1) }
    }
  }

  @Test func `what depends on hash seeds is found when another process replays it`() async throws {
    let scenario: @Sendable () async -> Int = {
      await Task.yield()
      return "word".hashValue
    }
    let exploration = await explore(scenario: scenario)
    #expect(exploration.failures.isEmpty)
    let schedule = try #require(exploration.outcomes.values.first).schedule.description
    await #expect(processExitsWith: .success) { [schedule = schedule as String] in
      let again = try await replay(schedule) {
        await Task.yield()
        return "word".hashValue
      }
      guard again.failures.map(\.kind) == [.nondeterminism] else { exit(1) }
    }
  }

  @Test func `what depends on addresses is reported`() async {
    let exploration = await explore {
      let objects = (0..<12).map { ($0, AtomicCount()) }
      return objects.sorted { ObjectIdentifier($0.1) < ObjectIdentifier($1.1) }.map(\.0)
        + Set(objects.map { ObjectIdentifier($0.1) }).map(\.hashValue)
    }
    #expect(exploration.failures.map(\.kind) == [.nondeterminism])
    #expect(!exploration.isComplete)
  }

  @Test func `the order of a set is the same in each run`() async {
    let exploration = await explore { Set((0..<12).map { "\($0)" }).joined() }
    #expect(exploration.failures.isEmpty && exploration.outcomes.count == 1)
  }

  @Test func `UUIDs are the same in each run, and in another process`() async throws {
    #expect(await Set([identities(), identities()]).count == 2)
    let exploration = await explore { Array(Set(await identities())) }
    #expect(exploration.failures.isEmpty && exploration.isComplete)
    #expect(exploration.outcomes.keys.allSatisfy { $0.count == 5 })
    let sorted = await explore { await identities().sorted().map(\.uuidString).joined() }
    let (outcome, found) = try #require(sorted.outcomes.first)
    let schedule = found.schedule.description
    await #expect(processExitsWith: .success) {
      [schedule = schedule as String, outcome = outcome as String] in
      let again = try await replay(schedule) {
        await identities().sorted().map(\.uuidString).joined()
      }
      guard again.failures.isEmpty, again.outcomes.keys.first == outcome else { exit(1) }
    }
  }

  @Test func `what depends on chance is reported, and the time is the same in each run`() async {
    let chance = await explore { Int.random(in: 0...Int.max) }
    #expect(chance.failures.map(\.kind) == [.nondeterminism])
    let time = await explore { "\(ContinuousClock.now)" }
    #expect(time.failures.isEmpty, "\(time)")
  }

  @Test func `state that outlives the scenario is reported`() async {
    let count = AtomicCount()
    let exploration = await explore {
      if count.next().isMultiple(of: 2) { await Task.yield() }
    }
    #expect(exploration.failures.map(\.kind) == [.nondeterminism])
  }

  @Test func `a schedule that does not fit is reported`() async throws {
    let exploration = try await replay("0zz.0000", scenario: withdrawals)
    #expect(exploration.failures.map(\.kind) == [.nondeterminism])
  }

  @Test(arguments: ["", "0112", "01 2.9c3e", "012.9c3", "012.9c3g", "(12).0000", "A.0000"])
  func `a text that is no schedule is refused`(text: String) async {
    await #expect(throws: MalformedSchedule.self) {
      try await replay(text, scenario: withdrawals)
    }
  }

  @Test func `a schedule reads back as it was written`() {
    let schedule = Schedule(choices: [0, 9, 10, 35, 36, 1000, 0], check: 0x0f)
    #expect(schedule.description == "09az(36)(1000)0.000f")
    #expect(Schedule(schedule.description) == schedule)
  }
}

private final class AtomicCount: Sendable {
  private let value = Atomic(0)
  func next() -> Int { value.add(1, ordering: .relaxed).newValue }
}

/// Of two children and, in whatever order these end, of who has begun them.
private func identities() async -> [UUID] {
  await withTaskGroup { group in
    for _ in 0..<2 { group.addTask { [UUID(), UUID()] } }
    return await group.reduce(into: [UUID()]) { $0 += $1 }
  }
}
