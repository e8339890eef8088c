/// A Markdown text, as far as the course's rules look at it.
public struct Markdown: Sendable {
  /// A fenced block of code.
  public struct Fence: Sendable {
    public let language: String
    public let lines: [String]
    /// The number of the line that opens the fence, from 1.
    public let line: Int
  }

  public let lines: [String]
  /// The fenced blocks, in their order.
  public private(set) var fences: [Fence] = []
  /// The lines outside of fences, with their numbers from 1.
  public private(set) var prose: [(number: Int, text: String)] = []

  /// Reads a text.
  public init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var opened: (language: String, line: Int)?
    var inside: [String] = []
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let fence = opened {
          fences.append(Fence(language: fence.language, lines: inside, line: fence.line))
          opened = nil
        } else {
          opened = (String(line.dropFirst(3)), index + 1)
          inside = []
        }
      } else if opened != nil {
        inside.append(line)
      } else {
        prose.append((index + 1, line))
      }
    }
  }

  /// The rows of the table that has this header, and the index of the first one's line; nil if there is none.
  func table(_ header: String) -> (start: Int, rows: [String])? {
    guard let start = lines.firstIndex(of: header).map({ $0 + 2 }) else { return nil }
    return (start, Array(lines[min(start, lines.count)...].prefix { $0.hasPrefix("|") }))
  }

  /// The words that a reader reads: those outside of fences and tables.
  public var wordCount: Int {
    prose.filter { !$0.text.hasPrefix("|") && !$0.text.hasPrefix("<!--") }
      .map { $0.text.split(whereSeparator: \.isWhitespace).count }
      .reduce(0, +)
  }

  /// What stands between backquotes in the prose, with the number of its line.
  public var codeSpans: [(number: Int, text: String)] {
    prose.flatMap { line in
      line.text.matches(of: /`([^`]+)`/).map { (line.number, String($0.1)) }
    }
  }

  /// Where the links in the prose lead, with the number of their line.
  public var links: [(number: Int, target: String)] {
    prose.flatMap { line in
      line.text.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/)
        .map { (line.number, String($0.1)) }
    }
  }
}
