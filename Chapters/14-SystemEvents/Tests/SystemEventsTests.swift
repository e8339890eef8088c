import ChapterTesting
import Testing
import Workbook

@testable import SystemEvents

@Suite(.timeLimit(.minutes(30))) struct SystemEventsTests {
  @Test(arguments: Chapter.systemEvents.demos.map(\.name))
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.systemEvents.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.systemEvents.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.systemEvents.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.systemEvents.hazards.map(\.id))
  func `a hazard ends alike in every run, and races where it says so`(_ id: String) async throws {
    try await Chapter.systemEvents.expectSameEnd(of: id)
  }
}
