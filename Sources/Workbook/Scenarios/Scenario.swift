public import Interleaving

/// A question about schedules, answered by exploring every one of them: for the code with the hazard,
/// and for its cures.
public struct Scenario: Sendable {
  /// The scenario's name within its chapter, in kebab case.
  public let name: String
  /// What the reader should be able to answer after it.
  public let question: String
  /// The pieces of code that are explored, the one with the hazard first.
  public let versions: [Version]

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - name: The scenario's name within its chapter, in kebab case.
  ///   - question: What the reader should be able to answer after it.
  ///   - versions: The pieces of code that are explored, the one with the hazard first.
  public init(_ name: String, asks question: String, versions: [Version]) {
    self.name = name
    self.question = question
    self.versions = versions
  }
}

/// One piece of code that a scenario explores.
public struct Version: Sendable {
  /// What the version is made with.
  public let mechanism: String
  /// The outcomes that it declares: exactly those that some schedule gives. A failure such as a
  /// deadlock is an outcome by its name.
  public let outcomes: [Outcome]
  /// Which schedules are run unless the reader asks for others.
  public let strategy: Strategy
  /// How virtual time goes by.
  public let time: VirtualTime
  /// Whether a suite leaves out to explore it without its reduction, too.
  public let isOnlyReduced: Bool
  /// Whether it has a data race.
  public var races: Bool { outcomes.contains(where: \.isRace) }
  /// Which of the two worlds it belongs to, where that is said.
  let era: Side.Era?
  /// On what the messages of its deadlocks end, places aside.
  public let findings: [String]
  let run: @Sendable () async throws -> String

  /// Creates a version.
  ///
  /// - Parameters:
  ///   - mechanism: What it is made with.
  ///   - outcomes: What its schedules give, all of it.
  ///   - strategy: Which schedules are run unless the reader asks for others.
  ///   - run: The code; it returns the outcome of a schedule.
  public init(
    _ mechanism: String, _ outcomes: Outcome..., strategy: Strategy = .exhaustive,
    run: @escaping @Sendable () async throws -> String
  ) {
    self.init(mechanism, outcomes, strategy: strategy, run: run)
  }

  init(
    _ mechanism: String, _ outcomes: [Outcome], strategy: Strategy,
    time: VirtualTime = .passesAtAnyStep, isOnlyReduced: Bool = false, era: Side.Era? = nil,
    findings: [String] = [], run: @escaping @Sendable () async throws -> String
  ) {
    self.mechanism = mechanism
    self.outcomes = outcomes
    self.strategy = strategy
    self.time = time
    self.isOnlyReduced = isOnlyReduced
    self.era = era
    self.findings = findings
    self.run = run
  }

  /// Explores the version.
  ///
  /// - Parameters:
  ///   - strategy: Which schedules; `nil` for the version's own.
  ///   - limit: The most schedules, 1 or more.
  /// - Returns: What was found, and whether it is what the version declares.
  public func explore(_ strategy: Strategy? = nil, limit: Int = 100_000) async -> VersionResult {
    // What is merely allowed needs no trace; anything else is shown with one.
    let plain = Set(outcomes.filter { $0.kind == .allowed }.map(\.value))
    let exploration = await exploreClosed(
      strategy ?? self.strategy, limit: limit, time: time, allowing: { plain.contains($0) },
      scenario: run)
    return await VersionResult(version: self, exploration: exploration).withHarmfulRaces()
  }

  /// Runs the version under one schedule.
  ///
  /// - Parameter schedule: The schedule, as an exploration wrote it.
  /// - Returns: What it gave, always with its trace.
  /// - Throws: ``MalformedSchedule`` if the text is no schedule.
  public func replay(_ schedule: String) async throws -> VersionResult {
    let exploration = try await replayClosed(
      schedule, time: time, allowing: { _ in false }, scenario: run)
    return VersionResult(version: self, exploration: exploration)
  }
}
