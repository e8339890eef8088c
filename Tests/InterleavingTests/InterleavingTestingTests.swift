import Interleaving
import InterleavingTesting
import Testing

@Suite struct InterleavingTestingTests {
  private actor Counter {
    private(set) var value = 0
    func set(_ value: Int) { self.value = value }
  }

  @Sendable private static func twoIncrements() async -> Int {
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { await counter.set(counter.value + 1) }
      }
    }
    return await counter.value
  }

  @Test func `a failure is an issue with the trace and the line to paste`() async throws {
    let exploration = await explore(allowing: { $0 == 2 }, scenario: Self.twoIncrements)
    let schedule = try #require(exploration.failures.first?.schedule)
    withKnownIssue {
      exploration.expectNoFailures()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("outcome: the outcome 1") && text.contains("on Counter")
        && text.contains("replay(\"\(schedule)\")")
    }
  }

  @Test func `an exploration that was cut short is an issue, one that draws schedules is none`()
    async
  {
    let exploration = await explore(limit: 2, scenario: Self.twoIncrements)
    withKnownIssue {
      exploration.expectNoFailures()
    } matching: {
      $0.comments.contains { $0.rawValue.contains("limit of 2 schedules") }
    }
    await explore(.random(seed: 1), limit: 2, scenario: Self.twoIncrements).expectNoFailures()
  }

  @Test func `a clean, complete exploration records nothing`() async {
    await explore(scenario: Self.twoIncrements).expectNoFailures()
  }
}
