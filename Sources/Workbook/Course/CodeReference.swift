public import Foundation

/// The lines of a chapter that a side is about.
public struct CodeReference: Hashable, Sendable {
  /// How many lines are shown.
  static let length = 3

  /// The file's name, such as "CounterLock.swift".
  public let file: String
  /// What the first of the lines contains, for the first time in its file.
  public let anchor: String

  /// The lines, as they stand in a folder now.
  struct Excerpt: Sendable, Equatable {
    /// The number of the first line, from 1.
    let line: Int
    /// The lines, without what all of them are indented by.
    let lines: [String]
  }

  /// The code in the folder of a chapter, or one around it; nil where the file is not there, or no longer has that line.
  func excerpt(in folder: URL) -> Excerpt? {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    guard
      let path = files?.lazy.compactMap({ $0 as? URL }).first(where: {
        $0.lastPathComponent == file
      }),
      let text = try? String(contentsOf: path, encoding: .utf8)
    else { return nil }
    return excerpt(of: text)
  }

  /// Whether the code is in the folder of a chapter.
  public func isFound(in folder: URL) -> Bool { excerpt(in: folder) != nil }

  /// The code in a file's text; nil if it has no such line.
  func excerpt(of text: String) -> Excerpt? {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Where a file shows a line of its own, the reference to it is not meant.
    let start = all.firstIndex { $0.contains(anchor) && !$0.contains(".code(\"") }
    guard let start else { return nil }
    let lines = all[start...].prefix(Self.length)
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let indent = indents.min() ?? 0
    return Excerpt(
      line: start + 1,
      lines: lines.map { String($0.dropFirst(indent)) }.reversed().drop { $0.isEmpty }.reversed())
  }
}

extension Chapter {
  /// The chapter's files that are not as they were handed out, by name; nil where that cannot be told.
  public func changedFiles() async -> [String]? {
    guard
      let result = try? await ChildProcess.run(
        "/usr/bin/env", ["git", "-C", folder.path, "status", "--porcelain", "--", "Sources"]),
      result.ending == .exited(0)
    else { return nil }
    return result.output.split(separator: "\n")
      .compactMap { $0.split(separator: "/").last.map(String.init) }
      .filter { $0.hasSuffix(".swift") }
  }
}
