import ChapterTesting
import Testing
import Workbook

@testable import Queues

@Suite(.timeLimit(.minutes(30))) struct QueuesTests {
  @Test(arguments: Chapter.queues.demos.map(\.name))
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.queues.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.queues.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.queues.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.queues.hazards.map(\.id))
  func `a race shows in every run, to the sanitizer too`(_ id: String) async throws {
    try await Chapter.queues.expectSameEnd(of: id)
  }

  @Test(arguments: subjects.map(\.name))
  func `cures are right where A and B run at once`(_ name: String) async throws {
    try await Chapter.queues.expectCures(of: name)
  }
}
