import Foundation

/// A part of a text that is made from the code: a printed run, the table of outcomes, or that of the chapters.
public struct GeneratedPart: Sendable {
  /// What it is, such as "the run of demo races/lost-update".
  public let name: String
  /// Its lines in the text, counted from 0.
  public let lines: Range<Int>
  /// What stands there.
  public let written: [String]
  /// What the code gives now.
  public let current: [String]
  /// Why it gives nothing, if it does not: the command fails.
  public internal(set) var problem: String?

  /// Whether the text says what the code gives.
  public var isCurrent: Bool { problem == nil && written == current }

  /// The parts of a text that are made from the code, in their order.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - chapter: The chapter whose text it is, if it is one's.
  ///   - course: The chapters that stand.
  ///   - program: The path of `workbook`, which is run for each printed run.
  /// - Throws: ``LaunchError`` when the program cannot be started.
  public static func all(
    of text: Markdown, in chapter: Chapter?, course: [Chapter], program: String
  ) async throws -> [GeneratedPart] {
    var parts = try await runs(in: text, program: program) + contents(in: text, of: course)
    if let chapter {
      parts += await table("the outcomes", Self.outcomesHeader, in: text) {
        chapter.demos.flatMap { $0.outcomeRows(in: chapter) }
      }
      parts += await table("the findings", Self.findingsHeader, in: text) {
        await chapter.findingRows()
      }
    }
    return parts.sorted { $0.lines.lowerBound < $1.lines.lowerBound }
  }

  /// `$ swift run workbook demo …` or `explore …`, and what that prints.
  private static func runs(in text: Markdown, program: String) async throws -> [GeneratedPart] {
    var parts: [GeneratedPart] = []
    for fence in text.fences where fence.language == "console" && fence.lines.count > 1 {
      guard
        let match = fence.lines[0].wholeMatch(
          of: /\$ (?:COLUMNS=(\d+) )?swift run workbook ((?:demo|explore) .+)/)
      else { continue }
      let result = try await ChildProcess.run(
        program, match.2.split(separator: " ").map(String.init),
        environment: ["COLUMNS": match.1.map(String.init) ?? "80"])
      var part = GeneratedPart(
        name: "the run of \(match.2)", lines: fence.line + 1..<fence.line + fence.lines.count,
        written: Array(fence.lines.dropFirst()),
        current: result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
          .map(String.init))
      if result.ending != .exited(0) {
        part.problem =
          "it fails: \(result.errors.split(separator: "\n").last ?? "\(result.ending)")"
      }
      parts.append(part)
    }
    return parts
  }

  /// The first lines of the tables that are made from the code.
  static let outcomesHeader = "| demo | sides | allowed | surprising | forbidden |"
  static let findingsHeader =
    "| subject | real child | explorer | live detector | cure, under every schedule |"

  /// The rows of a table, where the text has one that begins so.
  private static func table(
    _ name: String, _ header: String, in text: Markdown, rows: () async -> [String]
  ) async -> [GeneratedPart] {
    guard let (start, written) = text.table(header) else { return [] }
    return [
      GeneratedPart(
        name: name, lines: start..<start + written.count, written: written,
        current: await rows())
    ]
  }
}

extension Chapter {
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

extension Markdown {
  /// The text with its generated parts as the code gives them now.
  public func replacing(_ parts: [GeneratedPart]) -> String {
    var lines = lines
    for part in parts.sorted(by: { $0.lines.lowerBound > $1.lines.lowerBound }) {
      lines.replaceSubrange(part.lines, with: part.current)
    }
    return lines.joined(separator: "\n")
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
