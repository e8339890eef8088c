import ChapterTesting
import Testing
import Workbook

@testable import Descriptors

/// Whether something may be run here. With ThreadSanitizer hang-ups race within Dispatch, and memory has other limits.
private func isForEveryBuild(_ name: String) -> Bool {
  let subjects: [Subject] = [.oneByte, .twoLines, .echoedMessage, .bothFull]
  let demos: [Demo] = [.hangUp, .hugeFile, .slowReader]
  let others = subjects.map(\.name) + demos.map(\.name) + ["descriptors/huge-"]
  return !ThreadSanitizer.isActive || !others.contains(where: name.contains)
}

@Suite(.timeLimit(.minutes(30))) struct DescriptorsTests {
  @Test(arguments: Chapter.descriptors.demos.map(\.name).filter(isForEveryBuild))
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.descriptors.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.descriptors.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.descriptors.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.descriptors.hazards.map(\.id).filter(isForEveryBuild))
  func `a hazard ends alike in every run, and races where it says so`(_ id: String) async throws {
    try await Chapter.descriptors.expectSameEnd(of: id)
  }
}
