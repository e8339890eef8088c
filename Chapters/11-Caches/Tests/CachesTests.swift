import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import Caches

@Suite(.timeLimit(.minutes(30))) struct CachesTests {
  @Test(arguments: Chapter.caches.demos.map(\.name).filter { $0 != "scroll" })
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.caches.expectClaims(of: name)
  }

  @Test func `the text and its picture have what the scroll counts`() async throws {
    let folder = #filePath.replacing("Tests/CachesTests.swift", with: "Sources/Caches.docc/")
    let text = try String(contentsOfFile: folder + "Caches.md", encoding: .utf8)
      .replacing("`", with: "")
    let drawn = try String(contentsOfFile: folder + "late.svg", encoding: .utf8)
    let scroll = try #require(Chapter.caches.demo("scroll"))
    for (side, line) in zip(await scroll.run().sides, ["published", "right", "right"]) {
      #expect(side.holds, "\(side.outcome) \(side.steps)")
      try #require(side.steps.count == 3)
      let cells = side.steps[1].split(separator: "\t")
      #expect(text.contains("| \(side.side.mechanism) | \(cells.joined(separator: " | ")) |"))
      let late = side.steps[2].split(separator: " ").compactMap { Double($0) }
      let points = late.enumerated().map { tick, count in
        String(
          format: "%.1f %.1f", 56 + 564 * Double(tick) / Double(late.count - 1), 256 - 18 * count)
      }
      let path = "M " + points.joined(separator: " L ")
      #expect(drawn.contains("class=\"\(line)\" d=\"\(path)\""), "\(path)")
    }
  }

  @Test(.explored, arguments: Chapter.caches.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.caches.expectOutcomes(of: name)
  }
}
