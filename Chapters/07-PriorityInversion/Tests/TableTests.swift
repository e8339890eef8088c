import Foundation
import PrioritySimulation
import Testing
import Workbook

@testable import PriorityInversion

/// The table and the pictures in the text are what is measured and simulated.
@Suite(.timeLimit(.minutes(30))) struct TableTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Sources/PriorityInversion.docc")

  @Test func `each cell of the text's table is what is measured`() async throws {
    let text = try String(
      contentsOf: Self.folder.appending(path: "PriorityInversion.md"), encoding: .utf8)
    let titles = Set(TableRow.all.map(\.title))
    let written = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
      .filter { titles.contains($0[0]) }
    #expect(written.count == TableRow.all.count)
    for (row, line) in zip(TableRow.all, written) {
      let cells = try await row.measured()
      #expect(row.isClaimed(cells))
      // Where fixed priorities are not permitted, a cell says so; the text has what it is elsewhere.
      for (cell, text) in zip([row.title] + cells, line) where cell != skipped {
        #expect(cell == text)
      }
    }
  }

  static let pictures: [(name: String, svg: @Sendable () throws -> String)] = [
    ("blocked", { try Plot.inversion().svg }),
    ("without", { try simulate(.inversion(middle: 30), under: .noProtocol).svg() }),
    ("with", { try simulate(.inversion(middle: 30), under: .inheritance).svg() }),
  ]

  /// `swift test --attachments-path FOLDER` leaves there what a picture should be, if it is not.
  @Test(arguments: pictures.indices)
  func `each picture is what is simulated`(_ number: Int) throws {
    let (name, svg) = Self.pictures[number]
    let fresh = try svg()
    let kept = try? String(
      contentsOf: Self.folder.appending(path: "\(name).svg"), encoding: .utf8)
    if kept != fresh { Attachment.record(fresh, named: "\(name).svg") }
    #expect(kept == fresh)
  }
}
