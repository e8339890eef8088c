/// A table as text: a header, a rule, and rows whose cells are broken where a line is too narrow for them.
struct TextTable {
  private static let gap = 2

  /// The rows, the header first.
  let rows: [[String]]

  /// The table in lines of at most so many characters, as far as one word fits into a column.
  ///
  /// - Parameter width: The width, one or more.
  func lines(width: Int) -> [StyledText] {
    guard let header = rows.first else { return [] }
    var widths = header.indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let room = width - Self.gap * (widths.count - 1)
    // The widest column gives way first, down to its longest word.
    let least = header.indices.map { column in
      rows.flatMap { column < $0.count ? $0[column].split(separator: " ") : [] }.map(\.count).max()
        ?? 0
    }
    while widths.reduce(0, +) > room,
      let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: {
        widths[$0] < widths[$1]
      })
    {
      widths[widest] -= 1
    }
    let rule = widths.map { String(repeating: "─", count: $0) }
    return broken(header, widths, .heading)
      + [
        StyledText(
          text: rule.joined(separator: String(repeating: " ", count: Self.gap)), style: .faint)
      ]
      + rows.dropFirst().flatMap { broken($0, widths, .plain) }
  }

  private func broken(
    _ row: [String], _ widths: [Int], _ style: StyledText.Style
  ) -> [StyledText] {
    let cells = zip(row, widths).map { StyledText(text: $0).wrapped(to: max(1, $1), hanging: 0) }
    return (0..<(cells.map(\.count).max() ?? 0)).map { index in
      let pieces = zip(cells, widths).map { cell, width in
        let text = index < cell.count ? cell[index].text : ""
        return text + String(repeating: " ", count: max(0, width - text.count + Self.gap))
      }
      let text = pieces.joined()
      return StyledText(text: String(text.reversed().drop { $0 == " " }.reversed()), style: style)
    }
  }
}
