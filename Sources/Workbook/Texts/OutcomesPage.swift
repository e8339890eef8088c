extension Chapter {
  /// The appendix of the chapter's text: what each side declares, and what is found of what goes wrong.
  public func outcomesPage() async -> String {
    var lines = [
      "# Outcomes of \(name)", "",
      "What each side of a demo gives under the demo's schedule, as it is declared. A demo fails on an outcome that is",
      "forbidden, and on one that is not listed. `swift run workbook course refresh` writes this page from the code.",
      "", "| demo | sides | allowed | surprising | forbidden |", "| --- | --- | --- | --- | --- |",
    ]
    lines += demos.flatMap { $0.outcomeRows(in: self) }
    let findings = await findingRows()
    if !findings.isEmpty {
      lines += [
        "", "## What is found", "",
        "Of each side that goes wrong: how a child process ends that runs it, what the explorer says, what the live",
        "detector says, and in how many schedules its cure is clean.", "",
        "| subject | real child | explorer | live detector | cure, under every schedule |",
        "| --- | --- | --- | --- | --- |",
      ]
      lines += findings
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The path of the appendix in the package.
  public var outcomesPath: String {
    "Chapters/\(folderName)/Sources/\(name).docc/Outcomes.md"
  }

  /// A row of Markdown for each implementation that goes wrong and is watched: how a child of it ends, what the explorer
  /// says, what the detector says, and how many schedules of the first cure behind it are clean.
  func findingRows() async -> [String] {
    var rows: [String] = []
    for subject in subjects {
      for (index, implementation) in subject.implementations.enumerated() {
        guard implementation.isPlayed, implementation.goesWrong,
          let verdict = implementation.verdict
        else { continue }
        let rest = subject.implementations[index...].dropFirst()
        let cure = rest.first { $0.isCure && $0.isExplored } ?? rest.first(where: \.isCure)
        let cells = [
          "`\(subject.name)`: \(implementation.mechanism)",
          implementation.outcomes.first(where: \.isEnding)?.played ?? "comes to its end",
          finding(of: implementation), verdict.value,
          await cured(of: subject, cure?.mechanism),
        ]
        rows.append("| " + cells.joined(separator: " | ") + " |")
      }
    }
    return rows
  }

  private func version(of subject: Subject, _ mechanism: String?) -> Version? {
    scenario(subject.name)?.versions.first { $0.mechanism == mechanism }
  }

  /// As in: trap. As in: a cycle of 2. As in: suspected.
  private func finding(of implementation: Implementation) -> String {
    guard implementation.isExplored else { return "—" }
    if implementation.outcomes.contains(where: { $0.value == "trap" }) { return "trap" }
    guard let finding = implementation.findings.first else { return "nothing" }
    return finding.hasPrefix("a cycle") ? String(finding.prefix { $0 != ":" }) : "suspected"
  }

  private func cured(of subject: Subject, _ mechanism: String?) async -> String {
    guard let version = version(of: subject, mechanism) else {
      return mechanism.map { "\($0): not explored" } ?? "—"
    }
    let result = await version.explore()
    let isClean =
      result.holds && result.isComplete && result.entries.allSatisfy { $0.failure == nil }
    return "\(version.mechanism): "
      + (isClean ? "clean in \(result.schedules), complete" : "not clean")
  }
}

extension Demo {
  /// A row of Markdown for each set of outcomes that the demo's sides declare: demo, sides, allowed, surprising,
  /// forbidden.
  public func outcomeRows(in chapter: Chapter) -> [String] {
    let cells = { (side: Side) in
      Outcome.Kind.allCases.map { kind in
        side.outcomes.filter { $0.kind == kind }.map(\.value).joined(separator: "; ")
      }
    }
    var rows: [(sides: [String], cells: [String])] = []
    for side in sides {
      if let index = rows.firstIndex(where: { $0.cells == cells(side) }) {
        rows[index].sides.append(side.mechanism)
      } else {
        rows.append(([side.mechanism], cells(side)))
      }
    }
    return rows.map { row in
      let all = ["`\(chapter.slug)/\(name)`", row.sides.joined(separator: "; ")] + row.cells
      return "| " + all.map { $0.isEmpty ? "—" : $0 }.joined(separator: " | ") + " |"
    }
  }
}
