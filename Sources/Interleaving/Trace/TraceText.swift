extension Trace {
  /// The trace as text, one column a task.
  ///
  /// - Parameter width: The most characters in a line, 40 or more. Columns too narrow for their words
  ///   are broken between words.
  /// - Returns: Lines without trailing spaces, each ended by a line feed.
  public func text(width: Int = 100) -> String {
    precondition(width >= 40, "a trace takes 40 columns or more")
    let margin = "\(turns.count)".count + 2
    let gap = 2
    let column = max(8, (width - margin) / max(1, tasks.count) - gap)
    let rows = turns.map { turn in
      (task: turn.task, lines: turn.lines.flatMap { $0.wrapped(to: column) })
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
    for (number, row) in rows.enumerated() {
      for (index, content) in row.lines.enumerated() {
        var cells = Array(repeating: "", count: tasks.count)
        cells[row.task] = content
        text += line(index == 0 ? "\(number + 1)" : "", cells)
      }
    }
    return text
  }
}

extension Trace {
  /// Steps of one task, one after the other.
  struct Turn {
    let task: Int
    /// What they did, in words.
    var lines: [String]
  }

  /// The steps, those of one task that follow each other taken together.
  var turns: [Turn] {
    var turns: [Turn] = []
    for step in steps {
      let lines = (step.actor.map { ["on \($0)"] } ?? []) + step.notes
      if let last = turns.indices.last, turns[last].task == step.task {
        // What is asked for and got at once need not be told.
        if let actor = step.actor, turns[last].lines.last == "asks for \(actor)" {
          turns[last].lines.removeLast()
        }
        turns[last].lines += lines
      } else {
        turns.append(Turn(task: step.task, lines: lines))
      }
    }
    for index in turns.indices where turns[index].lines.isEmpty { turns[index].lines = ["goes on"] }
    return turns
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
        // A long name is broken before one of its words.
        let room = line.prefix(width + 1)
        let cut = room.lastIndex { $0.isUppercase } ?? line.startIndex
        let end = cut > line.startIndex ? cut : line.index(line.startIndex, offsetBy: width)
        lines.append(String(line[..<end]))
        line = String(line[end...])
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
