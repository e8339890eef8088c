import Testing

@testable import Interleaving

/// A runtime whose tasks and actors are laid out in another way: structured code is still explored,
/// and what is not under control is said.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FallbackTests {
  private actor Account {
    private(set) var balance = 100

    func withdraw(_ amount: Int) async {
      guard balance >= amount else { return }
      await Task.yield()
      balance -= amount
    }
  }

  @Test(arguments: [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `without the layout the bug is found, and completeness is not claimed`(
    strategy: Strategy
  ) async {
    let options = Options(strategy: strategy, usesRuntimeLayout: false)
    let exploration: Exploration<Int> = await onOwnThread(
      options, { $0 >= 0 },
      {
        let account = Account()
        async let first: Void = account.withdraw(80)
        async let second: Void = account.withdraw(80)
        _ = await (first, second)
        return await account.balance
      }, { $0.explore() })
    #expect(exploration.outcomes.keys.contains(-60))
    #expect(exploration.failures.map(\.kind) == [.outcome])
    guard case .partialControl(let missing) = exploration.completeness else {
      Issue.record("\(exploration.completeness)")
      return
    }
    #expect(missing.contains("layout"))
    #expect(!exploration.isComplete)
  }

  @Test func `on this runtime the layout is the known one, and the hooks are there`() {
    #expect(SwiftRuntime.layout != nil)
    #expect(SwiftRuntime.hasHooks)
  }
}
