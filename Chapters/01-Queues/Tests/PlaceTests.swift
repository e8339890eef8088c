import QueuesMainActor
import QueuesNonsending
import Testing

@testable import Queues

/// Where an async function runs, by what it is marked with, in each language mode.
@Suite struct PlaceTests {
  @MainActor
  @Test func `called from the main actor`() async {
    let asItComes = await places(of: Queues.WhereItRuns())
    #expect(asItComes == ["elsewhere", "elsewhere", "main queue", "main queue"])
    let nonsending = await places(of: QueuesNonsending.WhereItRuns())
    #expect(nonsending == ["main queue", "elsewhere", "main queue", "main queue"])
    let mainActor = await places(of: QueuesMainActor.WhereItRuns())
    #expect(mainActor == ["main queue", "elsewhere", "main queue", "main queue"])
  }

  @concurrent
  @Test func `called from no actor`() async {
    let asItComes = await places(of: Queues.WhereItRuns())
    #expect(asItComes == ["elsewhere", "elsewhere", "elsewhere", "main queue"])
    let nonsending = await places(of: QueuesNonsending.WhereItRuns())
    #expect(nonsending == ["elsewhere", "elsewhere", "elsewhere", "main queue"])
    let mainActor = await places(of: QueuesMainActor.WhereItRuns())
    #expect(mainActor == ["main queue", "elsewhere", "elsewhere", "main queue"])
  }
}

// Unmarked, `@concurrent`, `nonisolated(nonsending)`, `@MainActor`; the twins share no protocol.

nonisolated(nonsending) private func places(of code: Queues.WhereItRuns) async -> [String] {
  [
    await code.unmarked(), await code.concurrent(), await code.nonsending(),
    await code.mainActor(),
  ]
}

nonisolated(nonsending) private func places(
  of code: QueuesNonsending.WhereItRuns
) async -> [String] {
  [
    await code.unmarked(), await code.concurrent(), await code.nonsending(),
    await code.mainActor(),
  ]
}

nonisolated(nonsending) private func places(
  of code: QueuesMainActor.WhereItRuns
) async -> [String] {
  [
    await code.unmarked(), await code.concurrent(), await code.nonsending(),
    await code.mainActor(),
  ]
}
