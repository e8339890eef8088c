extension Trace {
  /// The trace as a picture: one column a task, time downwards, a box for each turn, and an arrow where one lets another go
  /// on.
  ///
  /// - Parameter showsAll: Whether to show bookkeeping, too, as in ``text(width:showsAll:)``.
  /// - Returns: An SVG document that needs no other file; its colours follow light and dark.
  public func svg(showsAll: Bool = false) -> String {
    TraceDrawing(TracePage(self, showsAll: showsAll)).document
  }
}

/// Draws a trace.
private struct TraceDrawing {
  // In pixels; a character of the font is 7.3 wide at most.
  private let line = 18
  private let gap = 26
  private let left = 34
  private let characters = 34
  private var column: Int { characters * 73 / 10 + 16 }

  private let page: TracePage
  private var body = ""
  private var height = 0
  private var width: Int { left + (column + gap) * page.columns.count }

  init(_ page: TracePage) {
    self.page = page
    draw()
  }

  private func x(_ column: Int) -> Int { left + (self.column + gap) * column }

  private mutating func text(_ content: String, x: Int, y: Int, _ style: String) {
    body += "  <text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(content.escapedForXML)</text>\n"
  }

  private mutating func draw() {
    var y = 22
    for line in page.legend.joined(separator: " ").wrapped(to: (width - left) * 10 / 73) {
      text(line, x: left, y: y, "legend")
      y += line.isEmpty ? 0 : self.line
    }
    y += 12
    for (index, name) in page.columns.enumerated() { text(name, x: x(index) + 8, y: y, "task") }
    y += 12
    let top = y
    // Where the boxes of each turn begin, so that arrows can end there.
    let boxes = page.turns.map { turn in
      defer { y += height(of: turn) + 8 }
      return (y: y, height: height(of: turn))
    }
    let lines = page.columns.indices.map { column in
      let middle = x(column) + self.column / 2
      return "  <line x1=\"\(middle)\" y1=\"\(top)\" x2=\"\(middle)\" y2=\"\(y)\"/>\n"
    }
    body += lines.joined()
    for (number, (turn, box)) in zip(page.turns, boxes).enumerated() {
      text("\(number + 1)", x: left - 10, y: box.y + 17, "number")
      drawBox(of: turn, at: box.y, height: box.height)
      for case .handOver(let target) in turn.lines.map(\.style) where target != turn.column {
        let next = page.turns.indices.first { $0 > number && page.turns[$0].column == target }
        if let next {
          drawArrow(from: turn.column, box.y + box.height - 9, to: target, boxes[next].y)
        }
      }
    }
    height = y + 4
  }

  /// The pieces of a line, each with how far it is indented, in characters.
  private func pieces(
    of line: TracePage.Line, in turn: TracePage.Turn
  ) -> [(indent: Int, text: String)] {
    let indent = turn.indent(of: line).count
    return line.text.wrapped(to: characters - indent - 2).enumerated().map { index, piece in
      (indent + (index == 0 ? 0 : 2), piece)
    }
  }

  private func height(of turn: TracePage.Turn) -> Int {
    line * turn.lines.map { pieces(of: $0, in: turn).count }.reduce(0, +) + 8
  }

  private mutating func drawBox(of turn: TracePage.Turn, at y: Int, height: Int) {
    let x = x(turn.column)
    let isAtFault = turn.lines.contains { $0.style == .fault }
    body += "  <rect class=\"\(isAtFault ? "fault" : "turn")\" x=\"\(x)\" y=\"\(y)\" "
    body += "width=\"\(column)\" height=\"\(height)\" rx=\"4\"/>\n"
    var row = 0
    for line in turn.lines {
      let style =
        switch line.style {
        case .place: "place"
        case .note, .handOver: "note"
        case .fault: "wrong"
        }
      for piece in pieces(of: line, in: turn) {
        text(piece.text, x: x + 8 + piece.indent * 7, y: y + 17 + self.line * row, style)
        row += 1
      }
    }
  }

  /// From the side of a box to the top of another one below it.
  private mutating func drawArrow(from column: Int, _ y: Int, to target: Int, _ end: Int) {
    let isRight = target > column
    let start = x(column) + (isRight ? self.column : 0)
    let middle = x(target) + (isRight ? 16 : self.column - 16)
    body += "  <path class=\"arrow\" marker-end=\"url(#head)\" "
    body += "d=\"M \(start) \(y) H \(middle) V \(end - 2)\"/>\n"
  }

  var document: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
    width="\(width)" height="\(height)" role="img" aria-label="A schedule, one column a task">
      <style>
        text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1d1d1f }
        .task { font-weight: bold; font-size: 13px }
        .number { text-anchor: end; fill: #6e6e73 }
        .legend { fill: #6e6e73 }
        .place { font-weight: bold }
        .wrong { fill: #c4001a; font-weight: bold }
        .arrow { fill: none; stroke: #0066cc; stroke-width: 1.5 }
        .tip { fill: #0066cc }
        line { stroke: #d2d2d7 }
        rect { stroke: #86868b; fill: #ffffff }
        rect.fault { stroke: #c4001a; fill: #fff2f3 }
        @media (prefers-color-scheme: dark) {
          text { fill: #f5f5f7 } .number, .legend { fill: #a1a1a6 } line { stroke: #424245 }
          .wrong { fill: #ff6961 } .arrow { stroke: #2997ff } .tip { fill: #2997ff }
          rect { fill: #1d1d1f } rect.fault { stroke: #ff6961; fill: #3a1518 }
        }
      </style>
      <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
    orient="auto"><path class="tip" d="M 0 0 L 8 4 L 0 8 z"/></marker></defs>
    \(body)</svg>

    """
  }
}

extension String {
  fileprivate var escapedForXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
