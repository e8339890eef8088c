import ChapterTesting
import Testing
import Workbook

@testable import Caches

@Suite(.timeLimit(.minutes(30))) struct CachesTests {
  @Test(arguments: Chapter.caches.demos.map(\.name))
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.caches.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.caches.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.caches.expectOutcomes(of: name)
  }
}
