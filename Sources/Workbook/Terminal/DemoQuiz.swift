/// Asks a reader what the sides of a demo will give, before they run.
struct DemoQuiz {
  /// What a reader has said of a side: an outcome, or nothing.
  typealias Answers = [String?]

  let chapter: Chapter
  let demo: Demo
  /// Takes the reader's next line; nil at the end of the input.
  let readLine: () -> String?

  /// Shows the question, and of each side what it could give; takes a number for each.
  ///
  /// - Returns: What the reader said of each side, in the demo's order.
  func ask(on terminal: Terminal) -> Answers {
    terminal.print("\(chapter.slug)/\(demo.name)", .heading)
    terminal.print(demo.question, .plain, hanging: 0)
    var hasEnded = false
    return demo.sides.map { side in
      if hasEnded { return nil }
      // In the order of the alphabet, so that the place of an answer says nothing.
      let choices = side.outcomes.map(\.value).sorted()
      terminal.print()
      terminal.print("\(side.era.rawValue) · \(side.mechanism)", .heading)
      for line in side.code.map({ DemoPage.lines(of: $0, in: chapter, terminal.pageWidth) }) ?? [] {
        terminal.print(line.rendered(on: terminal))
      }
      for (index, choice) in choices.enumerated() {
        terminal.print("  \(index + 1)  \(choice)", .plain)
      }
      return answer(among: choices, on: terminal, &hasEnded)
    }
  }

  private func answer(
    among choices: [String], on terminal: Terminal, _ hasEnded: inout Bool
  ) -> String? {
    while true {
      terminal.prompt("  Which, 1 to \(choices.count)? (Return to skip) ")
      let typed = readLine()
      hasEnded = typed == nil
      guard let line = typed?.trimmingPrefix(" "), !line.isEmpty else {
        terminal.print()
        return nil
      }
      if let number = Int(line), choices.indices.contains(number - 1) { return choices[number - 1] }
      terminal.print("  “\(line)” is no number from 1 to \(choices.count)")
    }
  }

  /// Says how many of the answers the run bears out.
  static func review(_ answers: Answers, of result: DemoResult, on terminal: Terminal) {
    let pairs = zip(answers, result.sides).filter { $0.0 != nil }
    for (answer, side) in pairs where answer != side.outcome {
      terminal.print(
        "\(side.side.mechanism): you said “\(answer!)”, and it was “\(side.outcome)”", .notable)
    }
    let right = pairs.count { $0 == $1.outcome }
    if !pairs.isEmpty { terminal.print("right answers: \(right) of \(pairs.count)") }
    terminal.print()
  }
}

/// What the sides of a demo declare, without a run.
struct DemoOutcomes {
  let chapter: Chapter
  let demo: Demo

  func print(on terminal: Terminal) {
    terminal.print("\(chapter.slug)/\(demo.name)", .heading)
    terminal.print(demo.question, .plain, hanging: 0)
    for side in demo.sides {
      terminal.print()
      terminal.print("\(side.era.rawValue) · \(side.mechanism)", .heading)
      for outcome in side.outcomes {
        let standing = SideResult.Standing(of: outcome)
        let why = outcome.why.isEmpty ? "" : ": \(outcome.why)"
        // Nothing has run, so that nothing has failed.
        if outcome.kind == .forbidden {
          terminal.print("  – never \(outcome.value)\(why)", .faint)
          continue
        }
        terminal.print(
          "  \(standing.mark) \(outcome.value) (\(standing.rawValue)\(why))", standing.style)
      }
    }
    terminal.print()
  }
}
