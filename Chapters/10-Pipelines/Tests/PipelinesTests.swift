import ChapterTesting
import Testing
import Workbook

@testable import Pipelines

@Suite(.timeLimit(.minutes(30))) struct PipelinesTests {
  @Test(arguments: Chapter.pipelines.demos.map(\.name))
  func `what is claimed holds where A is stopped`(_ name: String) async throws {
    try await Chapter.pipelines.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.pipelines.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.pipelines.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.pipelines.hazards.map(\.id))
  func `a hazard ends alike in every run, and races where it says so`(_ id: String) async throws {
    try await Chapter.pipelines.expectSameEnd(of: id)
  }
}
