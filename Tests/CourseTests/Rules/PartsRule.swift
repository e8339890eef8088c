import Foundation

/// A chapter has its parts: text, pairs, refused code, demo executable, suite.
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
  return complaints + chapter.chapter.defects
}
