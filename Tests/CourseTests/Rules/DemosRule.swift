import Foundation
import Workbook

/// Every demo and every scenario that a text names exists.
func unknownDemos(in text: Markdown, path: String, course: [Chapter]) -> [String] {
  let slugs = course.map(\.slug).joined(separator: "|")
  guard let demo = try? Regex<(Substring, Substring, Substring)>("\\b(\(slugs))/([a-z-]+)") else {
    return ["the names of the chapters make no pattern: \(slugs)"]
  }
  let spans = text.codeSpans
  let commands = text.fences.flatMap { fence in
    fence.lines.filter { $0.hasPrefix("$ ") }.map { (number: fence.line, text: $0) }
  }
  return (spans + commands).flatMap { place in
    place.text.matches(of: demo).compactMap { match in
      let chapter = course.first { $0.slug == match.1 }
      let name = String(match.2)
      if chapter?.demo(name) != nil || chapter?.scenario(name) != nil { return nil }
      return "\(path):\(place.number): there is no demo and no scenario \(match.0)"
    }
  }
}

/// Every demo and every scenario of a chapter is named in its text.
func untoldDemos(of chapter: ChapterFolder) -> [String] {
  (chapter.chapter.demos.map(\.name) + chapter.chapter.scenarios.map(\.name))
    .map { "\(chapter.chapter.slug)/\($0)" }
    .filter { name in !chapter.text.lines.contains { $0.contains(name) } }
    .map { "\(chapter.textPath) does not mention \($0)" }
}

/// The outcome table of the text says what the demos declare: no row less, none more.
func wrongOutcomes(in chapter: ChapterFolder) -> [String] {
  let declared = chapter.chapter.demos.flatMap { outcomeRows(of: $0, in: chapter.chapter) }
  let written = chapter.text.prose.map(\.text).filter {
    $0.hasPrefix("| `\(chapter.chapter.slug)/")
  }
  return declared.filter { !written.contains($0) }
    .map { "\(chapter.textPath) lacks the row of outcomes \($0)" }
    + written.filter { !declared.contains($0) }
    .map { "\(chapter.textPath) has a row of outcomes that no demo declares \($0)" }
}

/// A row for each set of outcomes that a demo's sides declare: demo, sides, allowed, surprising,
/// forbidden.
private func outcomeRows(of demo: Demo, in chapter: Chapter) -> [String] {
  let cells = { (side: Side) in
    Outcome.Kind.allCases.map { kind in
      side.outcomes.filter { $0.kind == kind }.map(\.value).joined(separator: "; ")
    }
  }
  var rows: [(sides: [String], cells: [String])] = []
  for side in demo.sides {
    if let index = rows.firstIndex(where: { $0.cells == cells(side) }) {
      rows[index].sides.append(side.mechanism)
    } else {
      rows.append(([side.mechanism], cells(side)))
    }
  }
  return rows.map { row in
    let all = ["`\(chapter.slug)/\(demo.name)`", row.sides.joined(separator: "; ")] + row.cells
    return "| " + all.map { $0.isEmpty ? "—" : $0 }.joined(separator: " | ") + " |"
  }
}

/// A printed run, `$ swift run workbook demo …` or `explore …` and what it prints, is what a run prints
/// now.
func staleRuns(in text: Markdown, path: String) async throws -> [String] {
  var complaints: [String] = []
  for fence in text.fences where fence.language == "console" {
    guard let command = fence.lines.first, fence.lines.count > 1,
      let match = command.wholeMatch(
        of: /\$ (?:COLUMNS=(\d+) )?swift run workbook ((?:demo|explore) .+)/)
    else { continue }
    let result = try await ChildProcess.run(
      ChildProcess.product("workbook"), match.2.split(separator: " ").map(String.init),
      environment: ["COLUMNS": match.1.map(String.init) ?? "80"])
    let fresh = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    if fence.lines.dropFirst().map({ $0[...] }) != Array(fresh) {
      complaints.append(
        "\(path):\(fence.line): this run is not what is printed now:\n\(result.output)")
    }
  }
  return complaints
}
