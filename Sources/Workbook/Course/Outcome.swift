/// An outcome that a side declares, in the manner of jcstress: what a run may give, and what it
/// never gives.
///
/// An outcome that a side does not declare is as wrong as a forbidden one.
public struct Outcome: Sendable {
  /// How a declared outcome stands.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// What the reader would expect.
    case allowed
    /// What happens, and why the demo is there.
    case surprising
    /// What must not happen.
    case forbidden
  }

  /// How this outcome stands.
  public let kind: Kind
  /// The outcome, as the side's code returns it.
  public let value: String
  /// Why it stands so, in a few words.
  public let why: String

  /// An outcome that the reader would expect.
  public static func allowed(_ value: String, _ why: String = "") -> Outcome {
    Outcome(kind: .allowed, value: value, why: why)
  }

  /// An outcome that happens, and is why the demo is there.
  public static func surprising(_ value: String, _ why: String) -> Outcome {
    Outcome(kind: .surprising, value: value, why: why)
  }

  /// An outcome that fails the demo when it is seen.
  public static func forbidden(_ value: String, _ why: String = "") -> Outcome {
    Outcome(kind: .forbidden, value: value, why: why)
  }
}
