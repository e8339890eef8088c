import Foundation

/// Each fenced `swift` block is code of the chapter: indentation and blank lines aside, `// …`
/// standing for lines left out.
func inventedCode(in chapter: ChapterFolder) -> [String] {
  let sources = chapter.allSwiftFiles.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    .map(codeLines)
  return chapter.text.fences.filter { $0.language == "swift" }.compactMap { fence in
    let pieces = codeLines(fence.lines.joined(separator: "\n"))
      .split(separator: "// …").map(Array.init)
    if !pieces.isEmpty, sources.contains(where: { holds($0, pieces) }) { return nil }
    return
      "\(chapter.textPath):\(fence.line): this swift block is not in the chapter's code; copy it from there, with // … for lines left out"
  }
}

private func codeLines(_ text: String) -> [String] {
  text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    .filter { !$0.isEmpty }
}

/// Whether a file holds the pieces one after the other.
private func holds(_ file: [String], _ pieces: [[String]]) -> Bool {
  var rest = file[...]
  for piece in pieces {
    guard let range = rest.firstRange(of: piece) else { return false }
    rest = rest[range.upperBound...]
  }
  return true
}
