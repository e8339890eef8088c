extension Trace {
  /// The trace as text, one column a task.
  ///
  /// - Parameter width: The most characters in a line, 40 or more. Columns too narrow for their words
  ///   are broken between words.
  /// - Returns: Lines without trailing spaces, each ended by a line feed.
  public func text(width: Int = 100) -> String {
    precondition(width >= 40, "a trace takes 40 columns or more")
    let margin = "\(steps.count)".count + 2
    let gap = 2
    let column = max(8, (width - margin) / max(1, tasks.count) - gap)
    var rows: [(number: String, task: Int, lines: [String])] = []
    for (index, step) in steps.enumerated() {
      rows.append(("\(index + 1)", step.task, step.lines.flatMap { $0.wrapped(to: column) }))
    }
    let names = tasks.map { $0.wrapped(to: column) }
    var widths = names.map { $0.map(\.count).max() ?? 0 }
    for row in rows {
      widths[row.task] = max(widths[row.task], row.lines.map(\.count).max() ?? 0)
    }
    func line(_ number: String, _ cells: [String]) -> String {
      var line = String(repeating: " ", count: margin - 2 - number.count) + number + "  "
      for (cell, width) in zip(cells, widths) {
        line += cell + String(repeating: " ", count: width - cell.count + gap)
      }
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }
    var text = ""
    for index in 0..<(names.map(\.count).max() ?? 0) {
      text += line("", names.map { index < $0.count ? $0[index] : "" })
    }
    for row in rows {
      for (index, content) in row.lines.enumerated() {
        var cells = Array(repeating: "", count: tasks.count)
        cells[row.task] = content
        text += line(index == 0 ? row.number : "", cells)
      }
    }
    return text
  }
}

extension Trace.Step {
  /// What stands in the step's cell.
  var lines: [String] {
    (actor.map { ["on \($0)"] } ?? []) + (actor == nil && notes.isEmpty ? ["goes on"] : notes)
  }
}

extension String {
  /// The string in lines of at most so many characters, broken between words, or within a word that
  /// is longer than a line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? "" : " "
      line += word
      while line.count > width {
        lines.append(String(line.prefix(width)))
        line = String(line.dropFirst(width))
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
