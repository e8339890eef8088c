import Foundation

/// What the exercises look like on a terminal.
struct ExercisePrinter {
  let terminal: Terminal
  let folder: ExerciseFolder

  private var width: Int { max(44, min(terminal.width, 100)) }

  func print(_ text: String = "", _ style: StyledText.Style = .plain, hanging: Int = 2) {
    terminal.print(text, style, hanging: hanging, width: width)
  }

  func summary(_ record: Progress.Record) {
    print("\(solved(record)) of \(folder.exercises.count) exercises solved")
    print()
  }

  private func solved(_ record: Progress.Record) -> Int {
    folder.exercises.count { record.solved[$0.id] != nil }
  }

  /// How far the learner has come in the course, as a bar.
  func bar(_ record: Progress.Record) {
    let (solved, count) = (solved(record), folder.exercises.count)
    let length = min(40, width - 24)
    let full = count == 0 ? 0 : length * solved / count
    print(
      String(repeating: "█", count: full) + String(repeating: "░", count: length - full)
        + " \(solved) of \(count) solved", .faint)
    print()
  }

  func allSolved() {
    print("all \(folder.exercises.count) exercises are solved", .good)
    print("One again: swift run workbook exercise reset ID; `list` names them.")
  }

  /// The task and what to do next.
  func task(_ exercise: Exercise, isWatched: Bool = false) {
    print("\(exercise.id): \(exercise.title) (\(exercise.minutes) minutes)", .heading)
    print()
    paragraphs(exercise.task)
    print()
    if isWatched { return }
    let commands = [
      ("edit", folder.path(of: exercise.answer)),
      ("verify", "swift run workbook exercise verify"),
      ("stay", "swift run workbook exercise watch"),
      ("stuck?", "swift run workbook exercise hint"),
    ]
    for (word, command) in commands { terminal.print(word.filled(to: 8) + command) }
  }

  /// Markdown as it is, but for paragraphs, which are set anew.
  private func paragraphs(_ text: String) {
    var paragraph = ""
    var isInFence = false
    func end() {
      if !paragraph.isEmpty { print(paragraph, hanging: 0) }
      paragraph = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        end()
        isInFence.toggle()
      } else if isInFence {
        terminal.print("    \(line)")
      } else if line.isEmpty {
        end()
        print()
      } else if line.hasPrefix("- ") {
        end()
        paragraph = String(line)
      } else {
        paragraph += (paragraph.isEmpty ? "" : " ") + line.trimmingCharacters(in: .whitespaces)
      }
    }
    end()
  }

  /// - Parameters:
  ///   - selection: The one that is marked.
  ///   - shown: Which of them are shown; all unless told.
  func list(
    _ record: Progress.Record, next: Exercise?, isBegun: (Exercise) -> Bool, selection: Int? = nil,
    shown: Range<Int>? = nil
  ) {
    let longest = folder.exercises.map(\.id.count).max() ?? 0
    for index in shown ?? folder.exercises.indices {
      let exercise = folder.exercises[index]
      let isSolved = record.solved[exercise.id] != nil
      let mark = isSolved ? "✓" : exercise.id == next?.id ? "→" : isBegun(exercise) ? "…" : " "
      let line =
        "\(mark) \(exercise.number.chapter)/\(exercise.number.exercise)  \(exercise.id.filled(to: longest))  \(exercise.minutes) min  "
        + exercise.title
      let marked = selection.map { ($0 == index ? "▸ " : "  ") + line } ?? line
      let style: StyledText.Style =
        selection == index ? .heading : isSolved ? .good : .plain
      terminal.print(
        StyledText(text: String(marked.prefix(max(40, terminal.width))), style: style)
          .rendered(on: terminal))
    }
    print()
    summary(record)
  }

  /// - Parameters:
  ///   - count: How many lines there are for what was found; the trace gives way. Nil for all.
  ///   - whole: What shows all of it.
  func verdict(
    _ verdict: Verdict, on exercise: Exercise, upTo count: Int?, whole: String = "--all"
  ) {
    let isGood = verdict.isSolved || verdict.kind == .todo
    print(
      "\(verdict.isSolved ? "✓" : "✗") \(exercise.id): \(verdict.summary)",
      isGood ? (verdict.isSolved ? .good : .notable) : .bad)
    let lines = verdict.lines(upTo: count, whole: whole)
    if !lines.isEmpty {
      print()
      for line in lines {
        let style: StyledText.Style =
          line.hasPrefix("✗") ? .bad : line.hasPrefix("✓") ? .good : .plain
        terminal.print("  \(line)", style, width: terminal.width)
      }
    }
    if let hint = verdict.compilerHint {
      print()
      print("hint: \(hint)", .notable)
    }
    if !verdict.printed.isEmpty {
      print()
      print("it printed:", .faint)
      for line in verdict.printed { terminal.print("  \(line)") }
    }
    for file in verdict.restored {
      print(
        file.kept.map {
          "\(file.path) was changed meanwhile and is as it was; the other one is \($0)"
        }
          ?? "\(file.path) was deleted meanwhile and is back", .notable)
    }
    print()
  }

  /// What to do once an exercise is solved.
  func after(_ exercise: Exercise, _ next: Exercise?) {
    print("Compare: swift run workbook exercise solution \(exercise.id)")
    if let next {
      print("Next: \(next.id), \(next.title): swift run workbook exercise")
    } else {
      allSolved()
    }
  }

  /// What to do next where keys are listened to.
  func afterWatched(_ next: Exercise?) {
    if let next {
      print("Return or n goes on to \(next.id), \(next.title); s shows the solution", .notable)
    } else {
      allSolved()
    }
  }

  /// Keys and what they do.
  func keys(_ keys: [(key: String, meaning: String)]) {
    for (key, meaning) in keys { print("\(key)  \(meaning)", hanging: 3) }
  }

  /// Says that an exercise was begun anew, in lines.
  func wasReset(_ exercise: Exercise, kept: String?) -> [String] {
    ["\(folder.path(of: exercise.answer)) is as it was at the start"]
      + (kept.map { ["yours is kept as \($0)"] } ?? [])
  }

  /// - Parameter again: What shows one more.
  func hints(_ hints: [String], of exercise: Exercise, again: String = "the same command again") {
    print("\(exercise.id)", .heading)
    for (index, hint) in hints.enumerated() { print("\(index + 1). \(hint)", hanging: 3) }
    print()
    print(
      hints.count < exercise.hints.count
        ? "\(hints.count) of \(exercise.hints.count); one more: \(again)"
        : "that was the last; the solution: swift run workbook exercise solution \(exercise.id) "
          + "--anyway", .faint)
  }
}

extension String {
  /// The text with spaces after it, up to a width.
  fileprivate func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
