import ChapterTesting
import Testing
import Workbook

@testable import ConfinedState

@Suite(.timeLimit(.minutes(30))) struct ConfinedStateTests {
  @Test(arguments: Chapter.confinedState.demos.map(\.name))
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.confinedState.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.confinedState.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.confinedState.expectOutcomes(of: name)
  }

  @Test(arguments: subjects.map(\.name))
  func `cures are right where A and B run at once`(_ name: String) async throws {
    try await Chapter.confinedState.expectCures(of: name)
  }

  @Test(arguments: Chapter.confinedState.hazards.map(\.id).filter { !$0.contains("main-held") })
  func `a hazard ends the same way each time`(_ id: String) async throws {
    try await Chapter.confinedState.expectSameEnd(of: id)
  }
}
