import Interleaving

/// What the exploration of a scenario looks like on a terminal.
struct ScenarioPage {
  let name: String
  let question: String
  let results: [VersionResult]

  func print(on terminal: Terminal) {
    let width = max(44, min(terminal.width, 132))
    func print(_ text: String, _ style: StyledText.Style = .plain) {
      for line in StyledText(text: text, style: style).wrapped(to: width) {
        terminal.print(line.rendered(on: terminal))
      }
    }
    print(name, .heading)
    for line in StyledText(text: question).wrapped(to: width, hanging: 0) {
      terminal.print(line.rendered(on: terminal))
    }
    terminal.print()
    for result in results {
      print(result.version.mechanism, .heading)
      print(
        "  \(result.schedules) schedule\(result.schedules == 1 ? "" : "s"); \(result.completeness)")
      var shown: Set<String> = []
      for entry in result.entries {
        guard shown.insert(entry.outcome).inserted else {
          // Of what goes wrong in one way at several places one is shown in full.
          if let failure = entry.failure { explain("\(failure.message)", width, terminal) }
          continue
        }
        let why = entry.why.isEmpty ? "" : ": \(entry.why)"
        print(
          "  \(entry.isDeclared ? "✓" : "✗") \(entry.outcome) in \(entry.schedules) "
            + "(\(entry.standing.rawValue)\(why))",
          !entry.isDeclared ? .bad : entry.standing == .surprising ? .notable : .good)
        show(entry, width, terminal)
      }
      for outcome in result.unseen {
        print("  ✗ \(outcome) in none, though the version declares it", .bad)
      }
      terminal.print()
    }
  }

  private func show(_ entry: VersionResult.Entry, _ width: Int, _ terminal: Terminal) {
    guard let failure = entry.failure, let trace = failure.trace, let schedule = failure.schedule
    else { return }
    terminal.print()
    for line in trace.text(width: width - 4).split(separator: "\n") {
      terminal.print("    \(line)")
    }
    terminal.print()
    if failure.kind != .outcome { explain("\(failure.message)", width, terminal) }
    if let cause = failure.cause { explain("\(cause).", width, terminal) }
    terminal.print("    --schedule \(schedule)")
  }

  private func explain(_ text: String, _ width: Int, _ terminal: Terminal) {
    for line in StyledText(text: "    " + text).wrapped(to: width, hanging: 0) {
      terminal.print(line.rendered(on: terminal))
    }
  }
}
