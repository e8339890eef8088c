/// What one run of a side showed.
public struct SideResult: Sendable {
  /// How the outcome of a run stands to what the side declared.
  public enum Standing: String, Sendable, Codable {
    /// Declared, and expected.
    case allowed
    /// Declared, and why the demo is there.
    case surprising
    /// Declared as what must not happen.
    case forbidden
    /// Not declared at all.
    case undeclared

    /// The standing of an outcome that is declared so, or not at all.
    init(of declared: Outcome?) {
      self =
        switch declared?.kind {
        case .allowed: .allowed
        case .surprising: .surprising
        case .forbidden: .forbidden
        case nil: .undeclared
        }
    }

    /// Whether an outcome of this standing is declared as one that happens.
    var isAsDeclared: Bool { self == .allowed || self == .surprising }

    /// What stands before such an outcome: that it is right, that it goes wrong as declared, or that nobody has declared it.
    var mark: String {
      switch self {
      case .allowed: "✓"
      case .surprising: "⚠"
      case .forbidden, .undeclared: "✗"
      }
    }

    var style: StyledText.Style {
      switch self {
      case .allowed: .good
      case .surprising: .notable
      case .forbidden, .undeclared: .bad
      }
    }
  }

  /// The side that ran.
  public let side: Side
  /// What the run gave.
  public let outcome: String
  /// What the run wrote on its way, a line a step.
  public let steps: [String]
  /// Whether something other than the outcome contradicts the claim, such as a sanitizer that is
  /// built in and does not see the race.
  public let isContradicted: Bool

  init(side: Side, outcome: String, steps: [String], isContradicted: Bool = false) {
    self.side = side
    self.outcome = outcome
    self.steps = steps
    self.isContradicted = isContradicted
  }

  private var declared: Outcome? { side.outcomes.first { $0.value == outcome } }

  /// How the outcome stands to what the side declared.
  public var standing: Standing { Standing(of: declared) }

  /// Why the outcome stands so, in the side's words; empty where it gives no reason.
  public var why: String { declared?.why ?? "" }

  /// Whether the side's claim held.
  public var holds: Bool {
    !isContradicted && standing.isAsDeclared
  }
}
