import ChapterTesting
import Testing
import Workbook

@testable import Callbacks

@Suite(.timeLimit(.minutes(30))) struct CallbacksTests {
  @Test(arguments: Chapter.callbacks.demos.map(\.name))
  func `what is claimed holds where A is stopped`(_ name: String) async throws {
    try await Chapter.callbacks.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.callbacks.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.callbacks.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.callbacks.hazards.map(\.id))
  func `a hazard ends alike in every run, and races where it says so`(_ id: String) async throws {
    try await Chapter.callbacks.expectSameEnd(of: id)
  }
}
