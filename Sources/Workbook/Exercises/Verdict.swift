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

  /// The details and the trace, of which the middle is left out where it is long, unless all of it is asked for: how it
  /// begins and how it ends say most.
  func lines(isWhole: Bool) -> [String] {
    let (head, tail) = (12, 22)
    var trace = trace
    if !isWhole, trace.count > head + tail + 20 {
      trace.replaceSubrange(
        head..<trace.count - tail,
        with: ["… \(trace.count - head - tail) lines are folded here; --all shows them …"])
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
