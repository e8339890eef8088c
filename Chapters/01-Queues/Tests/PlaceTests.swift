import QueuesMainActor
import QueuesNonsending
import Testing

@testable import Queues

/// Where an async function runs, by what it is marked with, in each language mode: unmarked, `@concurrent`,
/// `nonisolated(nonsending)`, `@MainActor`.
@Suite struct PlaceTests {
  @MainActor
  @Test func `called from the main actor`() async {
    #expect(
      await Queues.places() == ["elsewhere", "elsewhere", "main queue", "main queue"])
    #expect(
      await QueuesNonsending.places() == ["main queue", "elsewhere", "main queue", "main queue"])
    #expect(
      await QueuesMainActor.places() == ["main queue", "elsewhere", "main queue", "main queue"])
  }

  @concurrent
  @Test func `called from no actor`() async {
    #expect(
      await Queues.places() == ["elsewhere", "elsewhere", "elsewhere", "main queue"])
    #expect(
      await QueuesNonsending.places() == ["elsewhere", "elsewhere", "elsewhere", "main queue"])
    #expect(
      await QueuesMainActor.places() == ["main queue", "elsewhere", "elsewhere", "main queue"])
  }
}
