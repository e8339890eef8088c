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
  /// What was expected and what happened, with the trace, or what the compiler wrote; line by line.
  public var details: [String] = []
  /// What the exercise says about the compiler's error.
  public var compilerHint: String?
  /// What the answer itself printed, its last lines.
  public var printed: [String] = []
  /// Files that the answer deleted, which were put back.
  public var restored: [String] = []

  /// Whether the exercise is solved.
  public var isSolved: Bool { kind == .solved }
}
