import Interleaving

/// What the exploration of a scenario looks like on a terminal.
struct ScenarioPage {
  let name: String
  let question: String
  let results: [VersionResult]
  /// Whether traces tell bookkeeping, too.
  let showsAll: Bool
  /// The chapter's files that the reader has changed; they are looked up where a claim fails.
  var changedFiles: [String] = []

  func print(on terminal: Terminal) {
    let width = max(44, terminal.pageWidth)
    func print(_ text: String, _ style: StyledText.Style = .plain, hanging: Int = 2) {
      terminal.print(text, style, hanging: hanging, width: width)
    }
    print(name, .heading)
    print(question, hanging: 0)
    terminal.print()
    var said: Set<[Strategy.Assumption]> = []
    for result in results {
      print(result.version.mechanism, .heading)
      var completeness = "\(result.completeness)"
      // What is assumed is said once.
      if case .complete(let assumptions) = result.completeness, !assumptions.isEmpty,
        !said.insert(assumptions).inserted
      {
        completeness = "complete, assuming the same"
      }
      print("  \(result.schedules) schedule\(result.schedules == 1 ? "" : "s"); \(completeness)")
      if result.version.time == .passesWhenIdle { print("  As if all work took no time.") }
      if let advice = result.advice { print("  \(advice)") }
      var shown: Set<String> = []
      var runs: Set<Schedule> = []
      for entry in result.entries {
        guard shown.insert(entry.outcome).inserted else {
          // Of what goes wrong in one way at several places one is shown in full.
          if let failure = entry.failure { print("    \(failure.message)", hanging: 0) }
          continue
        }
        let why = entry.why.isEmpty ? "" : ": \(entry.why)"
        print(
          "  \(entry.standing.mark) \(entry.isDeclared ? "" : Wording.whose(changedFiles))"
            + "\(entry.outcome) in \(entry.schedules) (\(entry.standing.rawValue)\(why))",
          entry.standing.style)
        guard let failure = entry.failure, let schedule = failure.schedule else { continue }
        if runs.insert(schedule).inserted {
          show(failure, schedule, width, terminal)
        } else {
          print("    In the run above: \(failure.message).", hanging: 0)
        }
      }
      for outcome in result.unseen {
        print(
          "  ✗ \(Wording.whose(changedFiles))\(outcome) in none. The course says: in some.", .bad)
      }
      terminal.print()
    }
  }

  private func show(
    _ failure: Failure, _ schedule: Schedule, _ width: Int, _ terminal: Terminal
  ) {
    guard let trace = failure.trace else { return }
    terminal.print()
    for line in trace.lines(width: width - 4, showsAll: showsAll) {
      let pieces = line.map {
        StyledText(text: $0.text, style: $0.style.style).rendered(on: terminal)
      }
      terminal.print(pieces.isEmpty ? "" : "    " + pieces.joined())
    }
    terminal.print()
    for text in [failure.kind == .outcome ? nil : failure.message, failure.cause.map { $0 + "." }] {
      if let text { terminal.print("    " + text, .plain, hanging: 0, width: width) }
    }
    terminal.print("    --schedule \(schedule)")
  }
}

extension Trace.Span.Style {
  fileprivate var style: StyledText.Style {
    switch self {
    case .plain: .plain
    case .heading: .heading
    case .fault: .bad
    case .faint: .faint
    }
  }
}
