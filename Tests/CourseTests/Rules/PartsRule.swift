import Foundation

/// A chapter has its parts: text, pairs, refused code, demo executable, suite, exercises.
func missingParts(of chapter: ChapterFolder) -> [String] {
  var complaints: [String] = []
  if !chapter.exists(chapter.textPath) {
    complaints.append("there is no text \(chapter.textPath); write one, from a real problem on")
  }
  if !chapter.exists("Demo/main.swift") {
    complaints.append(
      "there is no Demo/main.swift; all it does is await Chapter.\(chapter.chapter.member).main()")
  }
  if chapter.swiftFiles(in: "Refused").isEmpty {
    complaints.append(
      "Refused/ holds no file; show what Swift refuses here, with expected-error comments")
  }
  let tests = chapter.swiftFiles(in: "Tests").compactMap {
    try? String(contentsOf: $0, encoding: .utf8)
  }
  if !tests.contains(where: { $0.contains("@Test") }) {
    complaints.append("Tests/ holds no @Test; call the rules of ChapterTesting there")
  }
  let name = chapter.folder.lastPathComponent
  let exercises = packageFolder.appending(path: "Exercises/\(name)")
  let count =
    (try? FileManager.default.contentsOfDirectory(atPath: exercises.path))?
    .count { !$0.hasPrefix(".") } ?? 0
  if count < 2 {
    complaints.append(
      "Exercises/\(name) holds \(count) exercises, and two are asked for; begin one: swift run workbook new "
        + "exercise \(name)/\(count + 1)-Name")
  }
  return complaints + chapter.chapter.defects
}

/// Nothing is left to do: what a skeleton leaves open says `TODO`.
func unfinishedParts(of chapter: ChapterFolder) -> [String] {
  let files = chapter.allSwiftFiles.map { ($0.lastPathComponent, $0) }
  let text = (chapter.textPath, chapter.folder.appending(path: chapter.textPath))
  return (files + [text]).flatMap { name, file in
    let lines =
      (try? String(contentsOf: file, encoding: .utf8))?
      .split(separator: "\n", omittingEmptySubsequences: false) ?? []
    return lines.indices.filter { lines[$0].contains("TODO") }.map {
      "\(name):\($0 + 1): there is something left to do: \(lines[$0].trimmingCharacters(in: .whitespaces))"
    }
  }
}

/// What a subject is called and what it asks stands once, where it is declared: tests and what else needs it have it
/// from there.
func repeatedWords(in chapter: ChapterFolder) -> [String] {
  let code = ["Sources/Subjects", "Sources/Demos", "Demo", "Tests"].flatMap(chapter.swiftFiles(in:))
    .compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    // The names of locks and jobs that are simulated are not meant.
    .replacing(/(?:nested|Job|urgent)\([^)]*\)|locks: \[[^\]]*\]/, with: "")
  return chapter.chapter.subjects.flatMap { subject in
    [subject.name, subject.question].compactMap { words in
      let count = code.ranges(of: "\"\(words)\"").count
      return count > 1
        ? "“\(words)” stands \(count) times in the chapter's code; say it in the subject only" : nil
    }
  }
}
