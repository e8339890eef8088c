import Interleaving
import Synchronization
import Testing

/// What bounds an exploration, and what is said of one that was cut off.
@Suite struct BoundTests {
  private actor Log {
    private(set) var first: String?
    func say(_ name: String) { first = first ?? name }
  }

  /// It goes wrong where the last of three tasks is the first to say something, which takes no preemption.
  @Sendable private static func scenario() async -> String? {
    let log = Log()
    await withDiscardingTaskGroup { group in
      for name in ["A", "B", "C"] {
        group.addTask(name: name) {
          for _ in 0..<4 {
            await log.say(name)
            await Task.yield()
          }
        }
      }
    }
    return await log.first
  }

  @Test(arguments: [50, 1_000, 100_000])
  func `what takes no preemption is found at once, whatever the limit`(limit: Int) async {
    let exploration = await explore(
      .preemptionBounded(2), limit: limit, stopsAtFailure: true, allowing: { $0 != "C" },
      scenario: Self.scenario)
    #expect(exploration.failures.map(\.kind) == [.outcome], "\(exploration)")
    #expect(exploration.schedules <= 50)
  }

  @Test func `a bound that leaves nothing out visits what there is, once`() async {
    @Sendable func scenario() async -> Int {
      async let first: Void = Task.yield()
      async let second: Void = Task.yield()
      _ = await (first, second)
      return 1
    }
    let all = await explore(scenario: scenario)
    let bounded = await explore(.preemptionBounded(20), scenario: scenario)
    #expect(bounded.schedules == all.schedules)
  }

  @Test func `a search that is cut off says how far it came, and what to try`() async throws {
    let cutOff = await explore(limit: 100, scenario: Self.scenario)
    let advice = try #require(cutOff.advice)
    #expect(advice.contains("less than 0.01 % of all"), "\(advice)")
    #expect(advice.contains(#/the first \d+ choices were never others/#), "\(advice)")
    #expect(advice.contains(".preemptionBounded(2)"), "\(advice)")
    #expect("\(cutOff)".contains(advice))
    let complete = await explore { 1 }
    #expect(complete.advice == nil)
  }

  @Test func `where two runs of one schedule part is told`() async throws {
    let runs = Atomic(0)
    let exploration = await explore {
      let isOdd = runs.add(1, ordering: .relaxed).newValue % 2 == 1
      await Task(name: isOdd ? "odd" : "even") {}.value
      if isOdd { await Task.yield() }
    }
    let failure = try #require(exploration.failures.first)
    #expect(failure.kind == .nondeterminism)
    #expect(failure.message.contains("The runs part in step 1: scenario starts"), "\(failure)")
    #expect(failure.trace != nil)
  }
}
