extension Trace {
  /// A piece of a trace's text.
  public struct Span: Hashable, Sendable {
    /// How a terminal may show it.
    public enum Style: Hashable, Sendable {
      /// Words between the columns, and numbers.
      case plain
      /// The name of a column, or where in the code a step runs.
      case heading
      /// What went wrong.
      case fault
      /// What explains the rest.
      case faint
    }

    public let text: String
    public let style: Style
  }

  /// The trace as text, one column a task.
  ///
  /// - Parameters:
  ///   - width: The most characters in a line, 40 or more. Columns too narrow for their words are broken between words.
  ///   - showsAll: Whether to show bookkeeping, too: that tasks start and end, waits for those that run, and what the
  ///     scenario does when the others are done.
  /// - Returns: Lines without trailing spaces, each ended by a line feed.
  public func text(width: Int = 100, showsAll: Bool = false) -> String {
    lines(width: width, showsAll: showsAll).map { $0.map(\.text).joined() + "\n" }.joined()
  }

  /// The lines of the trace's text, in pieces that a terminal may show in different ways; the parameters are those of
  /// ``text(width:showsAll:)``.
  public func lines(width: Int = 100, showsAll: Bool = false) -> [[Span]] {
    precondition(width >= 40, "a trace takes 40 columns or more")
    let page = TracePage(self, showsAll: showsAll)
    var lines = page.legend.joined(separator: " ").wrapped(to: width)
      .map { [Span(text: $0, style: .faint)] }
    if !lines.isEmpty { lines.append([]) }
    let column = width / max(1, page.columns.count) - 4
    return lines + (column < Self.narrowest ? page.list(width) : page.table(width))
  }

  /// The fewest characters of a column; with more columns than fit, the turns stand one below the other.
  private static let narrowest = 16
}

extension TracePage {
  /// One column a task.
  fileprivate func table(_ width: Int) -> [[Trace.Span]] {
    typealias Span = Trace.Span
    let page = self
    let margin = "\(page.turns.count)".count + 2
    let gap = 2
    let column = max(8, (width - margin) / max(1, page.columns.count) - gap)
    let rows = page.turns.map { turn in
      (column: turn.column, lines: turn.pieces(column))
    }
    let names = page.columns.map { $0.wrapped(to: column) }
    var widths = names.map { $0.map(\.count).max() ?? 0 }
    for row in rows {
      widths[row.column] = max(widths[row.column], row.lines.map(\.text.count).max() ?? 0)
    }
    func line(_ number: String, _ cells: [Span]) -> [Span] {
      var spans: [Span] = [
        Span(
          text: String(repeating: " ", count: margin - 2 - number.count) + number + "  ",
          style: .plain)
      ]
      var missing = 0
      for (cell, width) in zip(cells, widths) {
        if cell.text.isEmpty {
          missing += width + gap
        } else {
          if missing > 0 {
            spans.append(Span(text: String(repeating: " ", count: missing), style: .plain))
          }
          spans.append(cell)
          missing = width - cell.text.count + gap
        }
      }
      return spans
    }
    let empty = Span(text: "", style: .plain)
    var lines: [[Span]] = []
    for index in 0..<(names.map(\.count).max() ?? 0) {
      lines.append(
        line("", names.map { index < $0.count ? Span(text: $0[index], style: .heading) : empty }))
    }
    for (number, row) in rows.enumerated() {
      for (index, content) in row.lines.enumerated() {
        var cells = Array(repeating: empty, count: page.columns.count)
        cells[row.column] = content
        lines.append(line(index == 0 ? "\(number + 1)" : "", cells))
      }
    }
    return lines
  }

  /// One turn below the other, each with the name of its task.
  fileprivate func list(_ width: Int) -> [[Trace.Span]] {
    let margin = "\(turns.count)".count + 2
    let name = min(columns.map(\.count).max() ?? 0, width / 3)
    return turns.enumerated().flatMap { number, turn in
      let names = columns[turn.column].wrapped(to: name)
      let lines = turn.pieces(width - margin - name - 2)
      return (0..<max(names.count, lines.count)).map { row -> [Trace.Span] in
        let number = row == 0 ? "\(number + 1)" : ""
        let name = (row < names.count ? names[row] : "").padded(to: name + 2)
        return [
          Trace.Span(
            text: String(repeating: " ", count: margin - 2 - number.count) + number + "  ",
            style: .plain),
          Trace.Span(text: row < lines.count ? name : name.trimmed, style: .heading),
        ] + (row < lines.count ? [lines[row]] : [])
      }
    }
  }
}

extension TracePage.Turn {
  /// The turn in lines of at most so many characters; what a step does stands under where it runs.
  fileprivate func pieces(_ width: Int) -> [Trace.Span] {
    lines.flatMap { line in
      let style: Trace.Span.Style =
        switch line.style {
        case .place: .heading
        case .note, .handOver: .plain
        case .fault: .fault
        }
      let indent = indent(of: line)
      return line.text.wrapped(to: width - indent.count - 2).enumerated().map { index, piece in
        Trace.Span(text: indent + (index == 0 ? "" : "  ") + piece, style: style)
      }
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
