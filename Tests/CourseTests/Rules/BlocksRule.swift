import Foundation
import Workbook

/// Each `swift` block of a page is compiled alone: accepted as it is, or refused with exactly the messages that stand
/// beside its lines, `// error: …` and `// warning: …`, whole or as they begin.
///
/// A comment `<!-- continues -->` above a block puts the accepted blocks of its section before it, and
/// `<!-- flags: … -->` gives the compiler more flags; `;` stands between the two.
func wrongBlocks(in text: Markdown, path: String) async throws -> [String] {
  let blocks = blocks(of: text)
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "blocks-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await withThrowingTaskGroup(of: [String].self) { group in
    var complaints: [String] = []
    for (index, block) in blocks.enumerated() {
      // Each compiler takes a processor.
      if index >= 2 { complaints += try await group.next() ?? [] }
      group.addTask { try await block.complaints(path, in: folder) }
    }
    for try await more in group { complaints += more }
    return complaints.sorted()
  }
}

/// A block of code with what stands before it in its file.
private struct Block: Sendable {
  /// The number of its fence's line, from 1.
  let line: Int
  let before: [String]
  let code: [String]
  let flags: [String]

  /// A message of the compiler about one of the block's lines, from 1.
  struct Message: Hashable {
    let line: Int
    let text: String
  }

  var isRefused: Bool { code.contains { $0.contains("// error: ") } }

  private var expected: [Message] {
    code.enumerated().flatMap { index, line in
      line.components(separatedBy: " // ").dropFirst()
        .filter { $0.hasPrefix("error: ") || $0.hasPrefix("warning: ") }
        .map { Message(line: index + 1, text: $0) }
    }
  }

  func complaints(_ path: String, in folder: URL) async throws -> [String] {
    let file = folder.appending(path: "block\(line).swift")
    try Data((before + code).joined(separator: "\n").utf8).write(to: file)
    let result = try await ChildProcess.run(
      "/usr/bin/env",
      [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
        "-diagnostic-style", "llvm", file.path,
      ] + flags)
    var missing = expected
    var complaints: [String] = []
    for match in result.errors.matches(of: /\.swift:(\d+):\d+: ((?:error|warning): .+)/) {
      let message = Message(line: Int(match.1)! - before.count, text: String(match.2))
      let index = missing.firstIndex {
        $0.line == message.line && message.text.hasPrefix($0.text)
      }
      if let index {
        missing.remove(at: index)
      } else {
        complaints.append("\(path):\(line + message.line): the compiler says “\(message.text)”")
      }
    }
    return complaints
      + missing.map { "\(path):\(line + $0.line): the compiler does not say “\($0.text)”" }
  }
}

private func blocks(of text: Markdown) -> [Block] {
  var blocks: [Block] = []
  var accepted: [Block] = []
  var heading = 0
  for fence in text.fences where fence.language == "swift" {
    let latest = text.prose.last { $0.number < fence.line && $0.text.hasPrefix("##") }?.number ?? 0
    if latest != heading { (heading, accepted) = (latest, []) }
    let above = fence.line >= 2 ? text.lines[fence.line - 2] : ""
    let marks = (above.wholeMatch(of: /<!-- (.+) -->/)?.1 ?? "").split(separator: "; ")
    let flags = marks.first { $0.hasPrefix("flags: ") }?.split(separator: " ").dropFirst() ?? []
    let block = Block(
      line: fence.line, before: marks.contains("continues") ? accepted.flatMap(\.code) : [],
      code: fence.lines, flags: flags.map(String.init))
    blocks.append(block)
    if !block.isRefused { accepted.append(block) }
  }
  return blocks
}
