import Foundation
import Workbook

/// The sections of a chapter's text, in their order.
private let sections = [
  "The problem", "The model", "The port", "What the compiler says", "Hazards", "Every schedule",
  "When to keep the old way", "Systems", "Predict, change, see", "Exercises",
]

/// The rows of the table in which a text says what it takes, and where that was seen.
private let systems = [
  "| needs |", "| with default isolation `MainActor` |", "| measured on Linux |",
  "| said of Apple |",
]

/// The most hazards of a text: a reader keeps five in mind.
private let mostHazards = 5

/// A chapter's text has its sections in their order, and in each of them what it is for: a picture of the model, a cure's
/// code for each hazard, one exploration, what it takes.
func brokenShape(of chapter: ChapterFolder) -> [String] {
  let (text, path) = (chapter.text, chapter.textPath)
  let headings = text.prose.filter { $0.text.hasPrefix("## ") }
  let names = headings.map { String($0.text.dropFirst(3)) }
  if names != sections {
    let missing = sections.filter { !names.contains($0) }
    let others = names.filter { !sections.contains($0) }
    let what =
      missing.isEmpty && others.isEmpty
      ? "they stand in another order"
      : [
        missing.isEmpty ? nil : "missing: \(missing.joined(separator: ", "))",
        others.isEmpty ? nil : "others: \(others.joined(separator: ", "))",
      ].compactMap(\.self).joined(separator: "; ")
    return ["\(path): the sections are \(sections.joined(separator: " · ")); \(what)"]
  }
  func lines(_ section: String) -> Range<Int> {
    let index = sections.firstIndex(of: section)!
    let end = index + 1 < headings.count ? headings[index + 1].number : text.lines.count + 1
    return headings[index].number..<end
  }
  func fences(_ range: Range<Int>, _ language: String) -> [Markdown.Fence] {
    text.fences.filter { range.contains($0.line) && $0.language == language }
  }
  var complaints: [String] = []
  func complain(_ line: Int, _ words: String) { complaints.append("\(path):\(line): \(words)") }

  let model = lines("The model")
  let hasPicture = text.prose.contains {
    model.contains($0.number) && $0.text.hasPrefix("![")
  }
  if !hasPicture, fences(model, "text").isEmpty {
    complain(model.lowerBound, "the model has no picture: an image, or a drawing in a text fence")
  }
  let hazards = lines("Hazards")
  let titles = text.prose.filter { hazards.contains($0.number) && $0.text.hasPrefix("### ") }
  if titles.isEmpty || titles.count > mostHazards {
    complain(
      hazards.lowerBound,
      "there are \(titles.count) hazards; tell one to \(mostHazards), with ### each")
  }
  for (index, title) in titles.enumerated() {
    let end = index + 1 < titles.count ? titles[index + 1].number : hazards.upperBound
    if fences(title.number..<end, "swift").isEmpty {
      complain(title.number, "the hazard has no code of its cure")
    }
  }
  let explored = lines("Every schedule")
  let runs = fences(explored, "console").filter { $0.lines.first?.contains(" explore ") == true }
  if runs.count != 1 {
    complain(explored.lowerBound, "there are \(runs.count) printed explorations; show one")
  }
  let box = lines("Systems")
  for row in systems
  where !text.prose.contains(where: { box.contains($0.number) && $0.text.hasPrefix(row) }) {
    complain(box.lowerBound, "the table of systems has no row \(row)")
  }
  if !text.links.contains(where: { $0.target == "Outcomes.md" }) {
    complaints.append("\(path) does not link its appendix, Outcomes.md")
  }
  return complaints
}

/// Where a text speaks of a Swift file, it links it.
func unlinkedFiles(in chapter: ChapterFolder) -> [String] {
  chapter.text.prose.flatMap { line in
    line.text.matches(of: /(\[?)`([\w\/]+\.swift)`/).filter { $0.1.isEmpty }.map {
      "\(chapter.textPath):\(line.number): \($0.2) is no link; write [`\($0.2)`](…) with its path"
    }
  }
}

/// Each side of a demo shows the lines of the chapter's code that matter.
func sidesWithoutCode(of chapter: ChapterFolder) -> [String] {
  chapter.chapter.demos.flatMap { demo in
    demo.sides.compactMap { side in
      let name = "\(chapter.chapter.slug)/\(demo.name), \(side.mechanism)"
      guard let code = side.code else {
        return "\(name): it shows no code; say .code(FILE, ANCHOR) behind it"
      }
      return code.isFound(in: chapter.folder)
        ? nil : "\(name): \(code.file) has no line with “\(code.anchor)”"
    }
  }
}
