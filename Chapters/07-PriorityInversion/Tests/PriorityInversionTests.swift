import ChapterTesting
import Testing
import Workbook

@testable import PriorityInversion

/// Whatever is raised, one at a time is inside: under every schedule.
@Suite(.timeLimit(.minutes(30))) struct PriorityInversionTests {
  @Test(.explored, arguments: subjects.map(\.name))
  func `exactly the declared outcomes under every schedule`(_ name: String) async throws {
    try await Chapter.priorityInversion.expectOutcomes(of: name)
  }

  @Test(arguments: subjects.map(\.name))
  func `cures are right where A and B run at once`(_ name: String) async throws {
    try await Chapter.priorityInversion.expectCures(of: name)
  }
}
