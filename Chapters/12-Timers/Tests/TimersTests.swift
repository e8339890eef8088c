import ChapterTesting
import Testing
import Workbook

@testable import Timers

@Suite(.timeLimit(.minutes(30))) struct TimersTests {
  @Test(arguments: Chapter.timers.demos.map(\.name))
  func `what is claimed holds where A is stopped`(_ name: String) async throws {
    try await Chapter.timers.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.timers.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.timers.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.timers.hazards.map(\.id))
  func `a hazard ends alike in every run, and races where it says so`(_ id: String) async throws {
    try await Chapter.timers.expectSameEnd(of: id)
  }
}
