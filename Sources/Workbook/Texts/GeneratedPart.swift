import Foundation

/// A part of a text that is made from the code: a printed run, or a table in which the chapters are named.
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
  ///   - course: The chapters that stand.
  ///   - program: The path of `workbook`, which is run for each printed run.
  /// - Throws: ``LaunchError`` when the program cannot be started.
  public static func all(
    of text: Markdown, course: [Chapter], program: String
  ) async throws -> [GeneratedPart] {
    (try await runs(in: text, program: program) + contents(in: text, of: course))
      .sorted { $0.lines.lowerBound < $1.lines.lowerBound }
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
