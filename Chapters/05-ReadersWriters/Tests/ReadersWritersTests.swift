import ChapterTesting
import Testing
import Workbook

@testable import ReadersWriters

@Suite(.timeLimit(.minutes(30))) struct ReadersWritersTests {
  @Test(arguments: Chapter.readersWriters.demos.map(\.name))
  func `what is claimed holds where A is stopped`(_ name: String) async throws {
    try await Chapter.readersWriters.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.readersWriters.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.readersWriters.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.readersWriters.hazards.map(\.id))
  func `a hazard ends alike in every run, and races where it says so`(_ id: String) async throws {
    try await Chapter.readersWriters.expectSameEnd(of: id)
  }

  @Test(arguments: subjects.map(\.name))
  func `cures are right where A and B run at once`(_ name: String) async throws {
    try await Chapter.readersWriters.expectCures(of: name)
  }
}
