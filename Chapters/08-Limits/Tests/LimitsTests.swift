import ChapterTesting
import Testing
import Workbook

@testable import Limits

@Suite(.timeLimit(.minutes(30))) struct LimitsTests {
  @Test(arguments: Chapter.limits.demos.map(\.name))
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.limits.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.limits.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.limits.expectOutcomes(of: name)
  }

  @Test(arguments: subjects.map(\.name))
  func `cures are right where A and B run at once`(_ name: String) async throws {
    try await Chapter.limits.expectCures(of: name)
  }

  @Test(.explored)
  func `a second resume is found, with its line and a schedule that gives it again`() async throws {
    let scenario = try #require(Chapter.limits.scenario(Subject.signalOrCancel.name))
    let wrong = try #require(scenario.versions.first)
    let found = await wrong.explore().entries.first { $0.outcome == "trap" }
    let failure = try #require(found?.failure)
    #expect(failure.message.contains("AsyncSemaphoreResumedTwice.swift:"), "\(failure.message)")
    let again = try await wrong.replay("\(try #require(failure.schedule))").entries
    #expect(again.contains { $0.outcome == "trap" })
  }
}
