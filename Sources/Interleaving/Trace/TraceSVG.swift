extension Trace {
  /// The trace as a picture: one column a task, time downwards, a box for each turn.
  ///
  /// - Returns: An SVG document that needs no other file; its colours follow light and dark.
  public var svg: String {
    let column = 210
    let line = 18
    let characters = 27
    let width = 40 + column * tasks.count
    var body = ""
    var y = 52
    func text(_ content: String, x: Int, y: Int, style: String) {
      body += "  <text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(content.escapedForXML)</text>\n"
    }
    for (number, turn) in turns.enumerated() {
      let lines = turn.lines.flatMap { $0.wrapped(to: characters) }
      let height = line * lines.count + 8
      let x = 40 + column * turn.task
      text("\(number + 1)", x: 30, y: y + 17, style: "number")
      let isOnActor = lines.contains { $0.hasPrefix("on ") }
      let style = isOnActor ? "actor" : "free"
      body += "  <rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(column - 10)\" "
      body += "height=\"\(height)\" rx=\"4\"/>\n"
      for (offset, content) in lines.enumerated() {
        let style = content.hasPrefix("on ") ? "place" : "note"
        text(content, x: x + 8, y: y + 17 + line * offset, style: style)
      }
      y += height + 6
    }
    var head = ""
    for (index, task) in tasks.enumerated() {
      let x = 40 + column * index
      head += "  <text class=\"task\" x=\"\(x + 8)\" y=\"28\">\(task.escapedForXML)</text>\n"
      head += "  <line x1=\"\(x + (column - 10) / 2)\" y1=\"40\" "
      head += "x2=\"\(x + (column - 10) / 2)\" y2=\"\(y)\"/>\n"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y + 10)" \
      width="\(width)" height="\(y + 10)" role="img" aria-label="A schedule, one column a task">
        <style>
          text { font: 12px ui-monospace, monospace; fill: #1d1d1f }
          .task { font-weight: bold; font-size: 13px }
          .number { text-anchor: end; fill: #6e6e73 }
          .place { font-weight: bold }
          line { stroke: #d2d2d7 }
          rect { stroke: #86868b; fill: #ffffff }
          rect.actor { fill: #e8f2fd; stroke: #0066cc }
          @media (prefers-color-scheme: dark) {
            text { fill: #f5f5f7 } .number { fill: #a1a1a6 } line { stroke: #424245 }
            rect { fill: #1d1d1f } rect.actor { fill: #0b2a4a; stroke: #2997ff }
          }
        </style>
      \(head)\(body)</svg>

      """
  }
}

extension String {
  fileprivate var escapedForXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
