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
      return
        "\(path):\(place.number): there is no demo and no scenario \(match.0); swift run workbook lists them"
    }
  }
}

/// Every demo and every scenario of a chapter is named in its text.
func untoldDemos(of chapter: ChapterFolder) -> [String] {
  (chapter.chapter.demos.map(\.name) + chapter.chapter.scenarios.map(\.name))
    .map { "\(chapter.chapter.slug)/\($0)" }
    .filter { name in !chapter.text.lines.contains { $0.contains(name) } }
    .map { "\(chapter.textPath) does not mention \($0); say what it shows" }
}

/// What a text has from the code is what the code gives now: printed runs, pictures, and tables of the chapters.
func staleParts(
  of text: Markdown, path: String, from folder: URL, course: [Chapter]
) async throws -> [String] {
  let program = try ChildProcess.product("workbook")
  let pictures = try await GeneratedPicture.all(of: text, in: folder, program: program)
  let parts = try await GeneratedPart.all(of: text, course: course, program: program)
  return pictures.filter { !$0.isCurrent }.map { picture in
    "\(path):\(picture.line): the picture \(picture.file.lastPathComponent) "
      + (picture.problem ?? "is \(staleness)")
  }
    + parts.filter { !$0.isCurrent }.map { part in
      "\(path):\(part.lines.lowerBound + 1): \(part.name) "
        + (part.problem
          ?? "is \(staleness):\n"
          + changes(from: part.written, to: part.current).joined(separator: "\n"))
    }
}

private let staleness =
  "not what the code gives now; `swift run workbook course refresh` writes it anew"

/// The appendix of a chapter says what the code declares and gives now.
func staleAppendix(of chapter: ChapterFolder) async -> [String] {
  let name = "Outcomes.md"
  let file = chapter.folder.appending(path: chapter.textPath).deletingLastPathComponent()
    .appending(path: name)
  let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  let page = await chapter.chapter.outcomesPage()
  if written == page { return [] }
  let lines = { (text: String) in
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
  return [
    "\(name) is \(staleness):\n"
      + changes(from: lines(written), to: lines(page)).joined(separator: "\n")
  ]
}

/// The first lines that are new, or a word on those that are no longer.
private func changes(from old: [String], to new: [String]) -> [String] {
  let added = new.filter { !old.contains($0) }
  let shown = added.prefix(6).map(\.self)
  let rest = added.count - shown.count
  if shown.isEmpty { return ["\(old.count) lines are \(new.count) now"] }
  return shown + (rest > 0 ? ["and \(rest) lines more"] : [])
}
