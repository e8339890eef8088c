/// A trace as a reader sees it: the columns and turns that are shown, and what stands in them.
///
/// Bookkeeping is left out unless it is asked for: that tasks start and end, waits for those that run, and what the
/// scenario does when the others are done. So is a column in which nothing else stands.
struct TracePage {
  /// A line in a turn.
  struct Line: Equatable {
    enum Style: Equatable {
      case place, note, fault
      case handOver(to: Int)
    }

    var text: String
    let style: Style
  }

  /// Steps of one task, one after the other.
  struct Turn {
    var column: Int
    /// What they did, in words.
    var lines: [Line]

    /// What a step does stands under where it runs, if that is known.
    func indent(of line: Line) -> String {
      line.style == .place || !lines.contains { $0.style == .place } ? "" : "  "
    }
  }

  /// The names of the columns.
  private(set) var columns: [String]
  private(set) var turns: [Turn] = []
  /// What the names mean, a sentence each.
  private(set) var legend: [String] = []

  init(_ trace: Trace, showsAll: Bool) {
    columns = trace.tasks
    var places: [Int: Trace.Place] = [:]
    let steps = showsAll ? Array(trace.steps.enumerated()) : Self.shown(of: trace)
    let file = Self.onlyFile(of: steps.map(\.element), showsAll)
    var last: (step: Trace.Step, place: Trace.Place?)?
    for (index, step) in steps {
      // What a step begins with may be known of an earlier one only.
      places[step.task] =
        trace.steps[...index].last { $0.task == step.task && $0.place != nil }?.place
      let place = places[step.task]
      let isNewTurn = last?.step.task != step.task
      if isNewTurn {
        turns.append(Turn(column: step.task, lines: []))
      } else if !showsAll, let line = turns.last?.lines.last, line.style == .place,
        last?.place?.function == place?.function, last?.step.actor == nil
      {
        // It was there only to get to where it is now.
        turns[turns.endIndex - 1].lines.removeLast()
        last = nil
      }
      let head = [
        isNewTurn || last?.place != place ? place?.short : nil,
        // Not broken between the two words.
        isNewTurn || last?.step.actor != step.actor ? step.actor.map { "on\u{A0}\($0)" } : nil,
      ].compactMap(\.self).joined(separator: " ")
      let turn = turns.endIndex - 1
      if !head.isEmpty { turns[turn].lines.append(Line(text: head, style: .place)) }
      for note in step.notes where showsAll || note.kind != .bookkeeping {
        let line = Line(note, in: file)
        // One use of a stream is several of its lock.
        if !note.text.hasSuffix(" a stream") || turns[turn].lines.last != line {
          turns[turn].lines.append(line)
        }
      }
      last = (step, place)
    }
    for index in turns.indices where turns[index].lines.isEmpty {
      turns[index].lines = [Line(text: "goes on", style: .note)]
    }
    fold()
    dropEmptyColumns()
    describe(trace, steps.map(\.element), file)
  }

  /// The file that all lines are of which are named; nil where there are more.
  private static func onlyFile(of steps: [Trace.Step], _ showsAll: Bool) -> String? {
    var files = Set(steps.compactMap { $0.place?.file })
    for note in steps.flatMap(\.notes) where showsAll || note.kind != .bookkeeping {
      if let site = note.text.firstMatch(of: site) { files.insert(String(site.file)) }
    }
    return files.count == 1 ? files.first : nil
  }

  // nonisolated(unsafe): a constant, which nothing writes; regular expressions are not Sendable.
  nonisolated(unsafe) fileprivate static let site = /, (?<file>\w+\.swift):(?<line>\d+)$/

  // MARK: What is shown

  private static func shown(of trace: Trace) -> [(offset: Int, element: Trace.Step)] {
    let steps = Array(trace.steps.enumerated())
    func isTold(_ note: Trace.Note) -> Bool {
      switch note.kind {
      case .action, .choice, .fault: true
      case .handOver, .bookkeeping: false
      }
    }
    let others = trace.steps.lastIndex { $0.task != 0 } ?? trace.steps.endIndex
    var told: Set<Int> = []
    let shown = steps.filter { index, step in
      // The scenario itself starts the others and waits for them; what it does afterwards is told elsewhere.
      if step.task == 0 {
        return step.notes.contains { isTold($0) && (index <= others || $0.kind == .choice) }
      }
      let isFirst = told.insert(step.task).inserted
      return isFirst || step.notes.contains(where: isTold)
        || !step.notes.contains { $0.text == "ends" }
    }
    return shown.isEmpty ? steps : shown
  }

  /// From how many tasks on that do the same one after the other they are told in one turn.
  private static let fewestFolded = 4

  /// Takes together tasks that have but one turn each, do the same in it, and follow each other.
  private mutating func fold() {
    var folded: [Turn] = []
    let counts = Dictionary(turns.map { ($0.column, 1) }, uniquingKeysWith: +)
    var rest = turns[...]
    while let first = rest.popFirst() {
      let alike = rest.prefix { $0.lines == first.lines && counts[$0.column] == 1 }
      guard counts[first.column] == 1, alike.count + 1 >= Self.fewestFolded, let last = alike.last
      else {
        folded.append(first)
        continue
      }
      rest = rest.dropFirst(alike.count)
      var turn = first
      turn.lines.append(
        Line(
          text: "so do \(alike.count) more, the last of them \(columns[last.column])", style: .note)
      )
      folded.append(turn)
    }
    turns = folded
  }

  private mutating func dropEmptyColumns() {
    let used = columns.indices.filter { column in turns.contains { $0.column == column } }
    func new(_ column: Int) -> Int? { used.firstIndex(of: column) }
    columns = used.map { columns[$0] }
    for index in turns.indices {
      turns[index].column = new(turns[index].column)!
      turns[index].lines = turns[index].lines.compactMap { line in
        guard case .handOver(let column) = line.style else { return line }
        return new(column).map { Line(text: line.text, style: .handOver(to: $0)) }
      }
    }
  }

  // MARK: What the names mean

  private mutating func describe(_ trace: Trace, _ steps: [Trace.Step], _ file: String?) {
    let threads = columns.filter { name in trace.threads.contains { trace.tasks[$0] == name } }
    let tasks = columns.filter { $0 != "scenario" && !threads.contains($0) }
    func say(_ names: [String], _ one: String, _ more: String) {
      guard let first = names.first else { return }
      let rest = names.dropFirst()
      legend.append(
        rest.isEmpty
          ? "\(first) is \(one)."
          : names.count > 4
            ? "\(first), \(names[1]) and \(names.count - 2) others are \(more)."
            : "\(names.dropLast().joined(separator: ", ")) and \(names.last!) are \(more).")
    }
    say(threads, "a thread", "threads")
    say(tasks, "a task", "tasks")
    var actors: [String] = []
    for case let actor? in steps.map(\.actor) where !actors.contains(actor) { actors.append(actor) }
    say(actors.sorted(), "an actor", "actors")
    var files: [String] = []
    var example: Trace.Place?
    for case let place? in steps.map(\.place) {
      guard let file = place.file else { continue }
      example = example ?? place
      if !files.contains(file) { files.append(file) }
    }
    if let example, let line = example.line, let file = example.file {
      let others = files.dropFirst()
      legend.append(
        "\(example.short) is line \(line) of \(file)"
          + (others.isEmpty ? "." : "; there are lines of \(others.joined(separator: ", ")), too."))
    } else if let file {
      legend.append("Lines are of \(file).")
    }
  }
}

extension TracePage.Line {
  /// - Parameter file: The file that all lines are of, which need not be named with each; nil if there are more.
  fileprivate init(_ note: Trace.Note, in file: String?) {
    let text =
      file == nil ? note.text : note.text.replacing(TracePage.site) { ", line \($0.line)" }
    switch note.kind {
    case .action, .choice, .bookkeeping: self.init(text: text, style: .note)
    case .fault: self.init(text: text, style: .fault)
    case .handOver(let task): self.init(text: "→ " + note.text, style: .handOver(to: task))
    }
  }
}

extension String {
  /// The string in lines of at most so many characters, broken between words, or within a word that
  /// is longer than a line. A space that does not break is one in what comes of it.
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
    return lines.map { $0.replacing("\u{A0}", with: " ") }
  }
}
