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
  /// The same in the words of a run: a deadlock that the explorer finds is played as a hang.
  private(set) var played: String
  /// Whether a run shows it.
  private(set) var isPlayed = true
  /// Whether some schedule gives it where all are explored.
  private(set) var isExplored = true

  init(kind: Kind, value: String, why: String = "") {
    self.kind = kind
    self.value = value
    self.why = why
    played = value
  }

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

  // MARK: Of subjects, which are both played and explored

  /// A data race: the explorer reports it, and ThreadSanitizer where it is built in.
  public static let race = surprising("race", "nothing orders two uses of one variable")
    .onlyExplored

  /// Whether this is a data race.
  var isRace: Bool { value == Self.race.value }

  /// Nobody can go on: the explorer says "deadlock", and a run hangs.
  ///
  /// - Parameter why: Who waits for whom, in a few words.
  public static func deadlock(_ why: String) -> Outcome {
    surprising("deadlock", why).played(as: "hang")
  }

  /// What ends the process, under the explorer, too.
  ///
  /// - Parameter why: Why it does, in a few words.
  public static func trap(_ why: String) -> Outcome { surprising("trap", why) }

  /// Whether a run that shows it does not come to its end.
  var isEnding: Bool { ["hang", "trap", "fatal error"].contains(played) }

  /// The same outcome, which is seen only where all schedules are explored.
  public var onlyExplored: Outcome {
    var outcome = self
    outcome.isPlayed = false
    return outcome
  }

  /// The same outcome, which is seen only where it is played.
  public var onlyPlayed: Outcome {
    var outcome = self
    outcome.isExplored = false
    return outcome
  }

  /// The same outcome, which a run shows in other words.
  ///
  /// - Parameter ending: How the run ends: `hang`, `trap` or `fatal error`.
  public func played(as ending: String) -> Outcome {
    var outcome = self
    outcome.played = ending
    return outcome
  }
}
