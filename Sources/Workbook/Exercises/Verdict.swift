/// What is to be said of an answer.
public struct Verdict: Sendable {
  /// Of which kind a verdict is.
  public enum Kind: String, Sendable, Codable {
    /// Every claim of the check holds.
    case solved
    /// Every claim holds, and a TODO is left.
    case todo
    /// A claim of the check does not hold.
    case rejected
    /// The compiler does not accept it.
    case refused
    /// It crashed or ended itself before the check was over.
    case ended
    /// It was stopped at a limit, or left processes behind.
    case stopped
    /// It is no Swift source: missing, empty, or no text.
    case unreadable
  }

  /// Of which kind it is.
  public let kind: Kind
  /// What happened, in one line.
  public let summary: String
  /// What was expected and what happened, or what the compiler wrote; line by line.
  public var details: [String] = []
  /// What the exercise says about the compiler's error.
  public var compilerHint: String?
  /// What led to the first failure, step by step; line by line.
  public var trace: [String] = []
  /// After how many of the details the trace stands.
  var traceIndex = 0
  /// What the answer itself printed, its last lines.
  public var printed: [String] = []
  /// Files that were changed or deleted meanwhile, and were put back.
  public var restored: [Restored] = []

  /// Whether the exercise is solved.
  public var isSolved: Bool { kind == .solved }

  /// So many lines of a verdict are shown where no terminal sets a limit.
  static let usualLines = 60

  /// The details and the trace, of which the middle is left out where there are too many lines: how it begins and how
  /// it ends say most.
  ///
  /// - Parameters:
  ///   - count: How many lines, if twelve of the trace can be among them; all unless told.
  ///   - whole: What shows all of it.
  func lines(upTo count: Int? = nil, whole: String = "--all") -> [String] {
    var trace = trace
    let room = count.map { max(12, $0 - details.count - 1) }
    if let room, trace.count > room {
      let head = room / 3
      let left = trace.count - room + 1
      trace.replaceSubrange(
        head..<head + left, with: ["… \(left) lines are folded here; \(whole) shows them …"])
    }
    return details.prefix(traceIndex) + (trace.isEmpty ? [] : [""] + trace.map { "  \($0)" })
      + details.dropFirst(traceIndex)
  }
}

/// A file of an exercise that was put back as it was before an answer was run.
public struct Restored: Sendable, Encodable {
  /// The file.
  public let path: String
  /// Where what stood in its place is kept; nil if the file was gone.
  public let kept: String?
}
