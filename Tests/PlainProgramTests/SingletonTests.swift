import ControlledDispatch
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// What lives as long as the process, and is nevertheless new in each execution.
@Suite(.requiresWatching, .serialized) struct SingletonTests {
  @Test func `a singleton begins anew in each execution`() async throws {
    for _ in 1...2 {
      let exploration = await explore(
        .reduced(assuming: .controlledSharing), renewsStatics: true
      ) {
        strands({ Register.shared.sell(3) }, { Register.shared.sell(4) })
        return Register.shared.takings
      }
      #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
      #expect(Set(exploration.outcomes.keys) == [7], "\(exploration)")
    }
  }

  @Test func `what goes wrong with a singleton is found, and replays`() async throws {
    @Sendable func scenario() -> Int {
      Register.shared.sell(9)
      strands(
        { Register.shared.sellWithDiscount(3) }, { Register.shared.sellWithDiscount(4) })
      return Register.shared.takings
    }
    let exploration = await explore(
      .reduced(assuming: .controlledSharing), renewsStatics: true, allowing: { $0 == 15 },
      scenario: scenario)
    #expect(exploration.isComplete, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [15, 16], "\(exploration)")
    let schedule = try #require(exploration.failures.first?.schedule)
    let again = try await replay(
      "\(schedule)", renewsStatics: true, allowing: { $0 == 15 }, scenario: scenario)
    #expect(Set(again.outcomes.keys) == [16], "\(again)")
  }

  @Test func `without it, a singleton that keeps something gives different runs`() async throws {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      Register.shared.sell(1)
      return Register.shared.takings
    }
    let failure = try #require(exploration.failures.first)
    #expect(failure.kind == .nondeterminism)
    #expect(failure.message.contains("`renewsStatics: true`"), "\(failure)")
  }
}
