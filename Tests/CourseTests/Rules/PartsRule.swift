import Foundation

/// A chapter has its parts: text, pairs, refused code, demo executable, suite, exercises.
func missingParts(of chapter: ChapterFolder) -> [String] {
  var complaints: [String] = []
  if !chapter.exists(chapter.textPath) { complaints.append("there is no text \(chapter.textPath)") }
  if !chapter.exists("Demo/main.swift") { complaints.append("there is no Demo/main.swift") }
  if chapter.swiftFiles(in: "Refused").isEmpty {
    complaints.append("Refused/ holds no file: what does Swift refuse here?")
  }
  let tests = chapter.swiftFiles(in: "Tests").compactMap {
    try? String(contentsOf: $0, encoding: .utf8)
  }
  if !tests.contains(where: { $0.contains("@Test") }) {
    complaints.append("Tests/ holds no @Test")
  }
  let name = chapter.folder.lastPathComponent
  let exercises = packageFolder.appending(path: "Exercises/\(name)")
  let count =
    (try? FileManager.default.contentsOfDirectory(atPath: exercises.path))?
    .count { !$0.hasPrefix(".") } ?? 0
  if count < 3 {
    complaints.append("Exercises/\(name) holds \(count) exercises; three or more are asked for")
  }
  return complaints + chapter.chapter.defects
}
