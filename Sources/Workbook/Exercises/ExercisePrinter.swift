import Foundation

/// What the exercises look like on a terminal.
struct ExercisePrinter {
  let terminal: Terminal
  let folder: ExerciseFolder

  private var width: Int { max(44, min(terminal.width, 100)) }

  func print(_ text: String = "", _ style: StyledText.Style = .plain, hanging: Int = 2) {
    for line in StyledText(text: text, style: style).wrapped(to: width, hanging: hanging) {
      terminal.print(line.rendered(on: terminal))
    }
  }

  func summary(_ record: Progress.Record) {
    let solved = folder.exercises.count { record.solved[$0.id] != nil }
    print("\(solved) of \(folder.exercises.count) exercises solved")
    print()
  }

  func allSolved() {
    print("all \(folder.exercises.count) exercises are solved", .good)
    print("One again: swift run workbook exercise reset ID; `list` names them.")
  }

  /// The task and what to do next.
  func task(_ exercise: Exercise) {
    print("\(exercise.id): \(exercise.title) (\(exercise.minutes) minutes)", .heading)
    print()
    paragraphs(exercise.task)
    print()
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

  func list(_ record: Progress.Record, next: Exercise?, isBegun: (Exercise) -> Bool) {
    let longest = folder.exercises.map(\.id.count).max() ?? 0
    for exercise in folder.exercises {
      let isSolved = record.solved[exercise.id] != nil
      let mark = isSolved ? "✓" : exercise.id == next?.id ? "→" : isBegun(exercise) ? "…" : " "
      let line =
        "\(mark) \(exercise.number.chapter)/\(exercise.number.exercise)  \(exercise.id.filled(to: longest))  \(exercise.minutes) min  "
        + exercise.title
      terminal.print(
        StyledText(text: line, style: isSolved ? .good : .plain).rendered(on: terminal))
    }
    print()
    summary(record)
  }

  func verdict(_ verdict: Verdict, on exercise: Exercise) {
    let isGood = verdict.isSolved || verdict.kind == .todo
    print(
      "\(verdict.isSolved ? "✓" : "✗") \(exercise.id): \(verdict.summary)",
      isGood ? (verdict.isSolved ? .good : .notable) : .bad)
    if !verdict.details.isEmpty {
      print()
      // The compiler's words and a trace's columns stay as they are.
      for line in verdict.details {
        let style: StyledText.Style =
          line.hasPrefix("✗") ? .bad : line.hasPrefix("✓") ? .good : .plain
        terminal.print(StyledText(text: "  \(line)", style: style).rendered(on: terminal))
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
      print("\(file) was deleted by the answer and is back", .notable)
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

  func hints(_ hints: [String], of exercise: Exercise) {
    print("\(exercise.id)", .heading)
    for (index, hint) in hints.enumerated() { print("\(index + 1). \(hint)", hanging: 3) }
    print()
    print(
      hints.count < exercise.hints.count
        ? "\(hints.count) of \(exercise.hints.count); one more: the same command again"
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
