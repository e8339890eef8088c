public import Interleaving

/// What the exploration of a version showed.
public struct VersionResult: Sendable {
  /// An outcome or a failure that was seen.
  public struct Entry: Sendable {
    /// The outcome, or the name of the failure.
    public let outcome: String
    /// How it stands to what the version declares.
    public let standing: SideResult.Standing
    /// Why it stands so, in the version's words.
    public let why: String
    /// In how many schedules it was seen.
    public let schedules: Int
    /// The one with the fewest switches among them; of a race one in which it does harm, if there is one.
    public fileprivate(set) var schedule: Schedule?
    /// The trace and the cause, of what is not merely allowed.
    public fileprivate(set) var failure: Failure?

    /// Whether the version declares it as something that happens.
    public var isDeclared: Bool { standing.isAsDeclared }
  }

  /// The version that was explored.
  public let version: Version
  /// How many schedules were run.
  public let schedules: Int
  /// Why the exploration ended.
  public let completeness: Completeness
  /// How far one came that was cut off, and what to try instead.
  public let advice: String?
  /// What was seen, in the order in which the version declares it.
  public private(set) var entries: [Entry]
  /// What the version declares and a complete exploration did not see.
  public private(set) var unseen: [String] = []

  /// Whether all was run that can be: no schedule is left, or none but those of a declared race that break memory.
  public var isComplete: Bool {
    switch completeness {
    case .complete: true
    case .unexploredRace: version.races
    default: false
    }
  }

  /// Whether exactly what is declared was seen, as far as the exploration went.
  public var holds: Bool { unseen.isEmpty && entries.allSatisfy(\.isDeclared) }

  init(version: Version, exploration: Exploration<String>) {
    self.version = version
    schedules = exploration.schedules
    completeness = exploration.completeness
    advice = exploration.advice
    var entries = exploration.outcomes.map { outcome, occurrence in
      Entry(
        outcome, of: version, occurrence.schedules, occurrence.schedule,
        exploration.failures.first { $0.kind == .outcome && $0.schedule == occurrence.schedule })
    }
    entries += exploration.failures.filter { $0.kind != .outcome }.map {
      Entry($0.kind.rawValue, of: version, $0.schedules, $0.schedule, $0)
    }
    let order = version.outcomes.map(\.value)
    self.entries = entries.sorted {
      (order.firstIndex(of: $0.outcome) ?? .max, $0.outcome)
        < (order.firstIndex(of: $1.outcome) ?? .max, $1.outcome)
    }
    guard isComplete else { return }
    unseen = version.outcomes.filter { declared in
      declared.kind != .forbidden && !entries.contains { $0.outcome == declared.value }
    }.map(\.value)
  }
}

extension VersionResult {
  /// The result with its races shown where they do harm: in the run of an outcome that is not merely allowed.
  func withHarmfulRaces() async -> VersionResult {
    var result = self
    guard
      let harm = entries.first(where: { $0.failure?.kind == .outcome })?.schedule,
      entries.contains(where: { $0.failure?.kind == .race }),
      let again = try? await version.replay(harm.description)
    else { return self }
    for index in result.entries.indices where entries[index].failure?.kind == .race {
      let same = again.entries.first { $0.failure?.message == entries[index].failure?.message }
      guard let same else { continue }
      result.entries[index].schedule = same.schedule
      result.entries[index].failure = same.failure
    }
    return result
  }
}

extension VersionResult.Entry {
  fileprivate init(
    _ outcome: String, of version: Version, _ schedules: Int, _ schedule: Schedule?,
    _ failure: Failure?
  ) {
    let declared = version.outcomes.first { $0.value == outcome }
    self.outcome = outcome
    standing = SideResult.Standing(of: declared)
    why = declared?.why ?? ""
    self.schedules = schedules
    self.schedule = schedule
    self.failure = failure
  }
}
