import Testing

@testable import Interleaving

/// A runtime whose tasks and actors are laid out in another way: structured code is still explored,
/// and what is not under control is said.
@Suite(.serialized, .timeLimit(.minutes(30))) struct FallbackTests {
  static let strategies: [Strategy] =
    [.random(seed: 1), .pct(seed: 1, depth: 2)]
    + (SwiftRuntime.isSanitized
      ? [] : [.exhaustive, .reduced(assuming: .actorIsolation), .preemptionBounded(2)])

  @Test(arguments: strategies)
  func `without the layout the bug is found, and completeness is not claimed`(
    strategy: Strategy
  ) async {
    let options = Options(
      strategy: strategy, schedules: SwiftRuntime.isSanitized ? 100 : 2_000,
      usesRuntimeLayout: false)
    let exploration: Exploration<Int> = await onOwnThread(
      options, { $0 >= 0 }, withdrawals, { $0.explore() })
    #expect(exploration.outcomes.keys.contains(-60))
    #expect(exploration.failures.map(\.kind) == [.outcome])
    guard case .partialControl(let missing) = exploration.completeness else {
      Issue.record("\(exploration.completeness)")
      return
    }
    #expect(missing.contains("layout"))
    #expect(exploration.completeness.isCutShort && !exploration.isComplete)
  }

  @Test
  func `where the runtime does not tell its order no race is claimed, nor that there is none`()
    async
  {
    func explored(seesOrder: Bool) async -> Exploration<Int> {
      await onOwnThread(
        Options(seesOrder: seesOrder), { _ in true },
        {
          let count = Shared(0)
          async let first: Void = { count.value += 1 }()
          async let second: Void = { count.value += 1 }()
          _ = await (first, second)
          return count.value
        }, { $0.explore() })
    }
    let unseen = await explored(seesOrder: false)
    #expect(unseen.failures.isEmpty && !unseen.isComplete, "\(unseen)")
    #expect(await explored(seesOrder: true).failures.map(\.kind) == [.race])
  }

  @Test
  func `where cancelling is not caught, what is not under control is said`() async {
    let exploration: Exploration<Bool> = await onOwnThread(
      Options(hasEntries: false), { _ in true }, { await Task { Task.isCancelled }.value },
      { $0.explore() })
    guard case .partialControl(let missing) = exploration.completeness else {
      Issue.record("\(exploration.completeness)")
      return
    }
    #expect(missing.contains("cancelled"))
    #expect(!exploration.isComplete)
  }

  @Test func `on this runtime the layout is the known one, and hooks and entries are there`() {
    #expect(SwiftRuntime.layout != nil)
    #expect(SwiftRuntime.hasHooks)
    #expect(SwiftRuntime.hasEntries)
  }
}
