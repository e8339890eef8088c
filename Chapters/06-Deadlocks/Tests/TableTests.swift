import Foundation
import Testing
import Workbook

@testable import Deadlocks

/// The table in the text is what is measured, cell by cell.
@Suite(.timeLimit(.minutes(10))) struct TableTests {
  @Test func `each cell of the text's table is what is measured`() async throws {
    let text = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Sources/Deadlocks.docc/Deadlocks.md"), encoding: .utf8)
    let titles = Set(TableRow.all.map(\.title))
    let written = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
      .filter { titles.contains($0[0]) }
    let measured = try await TableRow.measured(TableRow.all, play: ending, explore: explored)
    #expect(written.count == measured.count)
    for (row, line) in zip(measured, written) {
      #expect(row.cells == line)
      #expect(row.isAsClaimed)
    }
  }
}
