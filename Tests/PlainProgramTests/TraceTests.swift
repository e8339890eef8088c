import ControlledDispatch
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

@Suite(.requiresWatching) struct WatchTraceTests {
  private static func countToTwo() async -> Exploration<Int> {
    await explore(.reduced(assuming: .controlledSharing)) {
      let counter = PlainCounter()
      strands({ counter.increment() }, { counter.increment() })
      return counter.value
    }
  }

  @Test func `a trace tells the functions, the variables and the lines of the code`() async throws {
    let exploration = await Self.countToTwo()
    let trace = try #require(exploration.failures.first?.trace).text(width: 200)
    for words in [
      "PlainCounter.increment",
      "reads value = 0, line 14", "writes value = 1, line 14", "Lines are of Counters.swift.",
    ] {
      #expect(trace.contains(words), "\(trace)")
    }
  }

  @Test func `the cause of a lost update is told in values`() async throws {
    let causes = await Self.countToTwo().failures.compactMap(\.cause)
    #expect(causes.isEmpty)
    let isRight: @Sendable (Int) -> Bool = { $0 == 2 }
    let lost = await explore(.reduced(assuming: .controlledSharing), allowing: isRight) {
      let counter = PlainCounter()
      strands({ counter.increment() }, { counter.increment() })
      return counter.value
    }
    let failure = try #require(lost.failures.first { $0.kind == .outcome })
    #expect(
      [
        "A read value = 0; B made it 1; then A wrote 1",
        "B read value = 0; A made it 1; then B wrote 1",
      ]
      .contains(failure.cause))
  }

  @Test func `a deadlock names the locks of the code`() async throws {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let first = TwiceLockedAccounts()
      strands({ first.moveUnderBoth() }, { first.moveBackUnderBoth() })
    }
    let failure = try #require(exploration.failures.first { $0.kind == .deadlock })
    #expect(
      failure.message
        == "a cycle of 2: A waits for Mutex savings, held by B; B waits for Mutex checking, held by A"
    )
  }
}
