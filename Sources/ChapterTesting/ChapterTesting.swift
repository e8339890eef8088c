import Interleaving
public import Testing
public import Workbook

// One function for each rule that the suite of every chapter keeps. Each says by name what does not hold.

extension Trait where Self == ConditionTrait {
  /// For what explores: one thread runs at a time then, so ThreadSanitizer finds nothing, and it hides from the explorer
  /// what orders tasks.
  public static var explored: Self {
    .enabled(if: !ThreadSanitizer.isActive, "an exploration has nothing for the sanitizer to find")
  }
}

/// Explores only to compare what is reported: a failure keeps the schedule that it was found with, and reports name no
/// lines of source, since both a shorter schedule and a line take long to find.
///
/// - Parameter body: What explores.
/// - Returns: What it returns.
/// - Throws: What it throws.
public func withoutDetail<Result>(
  _ body: () async throws -> Result
) async rethrows -> Result {
  try await ReportDetail.$wanted.withValue(.outcome, operation: body)
}

extension Chapter {
  /// Plays a demo, and expects every claim of it to hold.
  ///
  /// - Parameters:
  ///   - demo: The demo's name.
  ///   - location: Where the expectation is written.
  public func expectClaims(
    of demo: String, sourceLocation location: SourceLocation = #_sourceLocation
  ) async throws {
    let demo = try #require(self.demo(demo), sourceLocation: location)
    for result in await demo.run().sides {
      #expect(
        result.holds, "\(result.side.mechanism): \(result.outcome) \(result.steps)",
        sourceLocation: location)
    }
  }

  /// Explores a scenario, and expects of each version exactly the outcomes that it declares, and that no schedule is
  /// left; of what goes wrong a schedule that gives it again, with the same trace but for lines, and of a deadlock the
  /// words that are declared for it; and no failure of what is right.
  ///
  /// Without a reduction it runs the schedules of each, up to 30, and if these are not all, 30 that are drawn, and expects
  /// no other outcome.
  ///
  /// - Parameters:
  ///   - scenario: The scenario's name.
  ///   - location: Where the expectation is written.
  public func expectOutcomes(
    of scenario: String, sourceLocation location: SourceLocation = #_sourceLocation
  ) async throws {
    let scenario = try #require(self.scenario(scenario), sourceLocation: location)
    for version in scenario.versions {
      try await withoutDetail { try await expectOutcomes(of: version, at: location) }
    }
  }

  private func expectOutcomes(of version: Version, at location: SourceLocation) async throws {
    if !version.isOnlyReduced { await expectDeclaredUnreduced(version, at: location) }
    let result = await version.explore()
    expectDeclared(result, at: location)
    #expect(
      result.isComplete, "\(version.mechanism): \(result.completeness)", sourceLocation: location)
    expectFindings(result, at: location)
    for entry in result.entries { try await expectReplay(of: entry, version, at: location) }
  }

  private func expectDeclaredUnreduced(_ version: Version, at location: SourceLocation) async {
    let first = await version.explore(.exhaustive, limit: 30)
    expectDeclared(first, at: location)
    guard !first.isComplete else { return }
    // The first ones differ towards their ends only.
    expectDeclared(await version.explore(.random(seed: 1), limit: 30), at: location)
  }

  /// Of deadlocks exactly what is declared is found.
  private func expectFindings(_ result: VersionResult, at location: SourceLocation) {
    let messages = result.entries.compactMap(\.failure).filter { $0.kind == .deadlock }
      .map { $0.message.replacing(/\ \(\w+\.swift:\d+\)/, with: "") }
    let findings = result.version.findings
    for message in messages where !findings.contains(where: message.hasSuffix) {
      Issue.record(
        "\(result.version.mechanism): say behind it what is found, .found(“…”): \(message)",
        sourceLocation: location)
    }
    for finding in findings where !messages.contains(where: { $0.hasSuffix(finding) }) {
      Issue.record(
        "\(result.version.mechanism): this is not found: \(finding)", sourceLocation: location)
    }
  }

  private func expectReplay(
    of entry: VersionResult.Entry, _ version: Version, at location: SourceLocation
  ) async throws {
    guard entry.standing == .surprising else {
      #expect(entry.failure == nil, "\(version.mechanism)", sourceLocation: location)
      return
    }
    let failure = try #require(entry.failure, "\(version.mechanism)", sourceLocation: location)
    let schedule = try #require(failure.schedule, sourceLocation: location).description
    let again = try await version.replay(schedule).entries
    let told = { (entry: VersionResult.Entry) in
      "\(entry.outcome)\n\(entry.failure?.trace.map(String.init(describing:)) ?? "no trace")"
    }
    #expect(
      again.map(told).contains(told(entry)), "\(version.mechanism): \(schedule)",
      sourceLocation: location)
  }

  private func expectDeclared(_ result: VersionResult, at location: SourceLocation) {
    let entries = result.entries.map { "\($0.outcome) (\($0.standing.rawValue))" }
    #expect(
      result.holds, "\(result.version.mechanism): \(entries), not seen: \(result.unseen)",
      sourceLocation: location)
  }

  /// Runs a hazard twice, and expects the same end each time; of a data race, built with ThreadSanitizer, that it
  /// is reported, and otherwise that none is.
  ///
  /// - Parameters:
  ///   - id: The hazard's name.
  ///   - location: Where the expectation is written.
  public func expectSameEnd(
    of id: String, sourceLocation location: SourceLocation = #_sourceLocation
  ) async throws {
    let hazard = try #require(hazards.first { $0.id == id }, sourceLocation: location)
    let reports = try await withThrowingTaskGroup(of: HazardReport.self) { group in
      for _ in 0..<2 { group.addTask { try await hazard.run() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let ends = Set(reports.map(\.outcome))
    #expect(ends.count == 1, "\(ends)", sourceLocation: location)
    for report in reports where ThreadSanitizer.isActive {
      #expect(report.races.isEmpty != hazard.isDataRace, sourceLocation: location)
    }
  }

  /// Plays all of a subject under watch, each in a child process, and expects what is declared: what the detector says,
  /// or what is right and not a word from the detector.
  ///
  /// - Parameters:
  ///   - subject: The subject's name.
  ///   - location: Where the expectation is written.
  public func expectVerdicts(
    of subject: String, sourceLocation location: SourceLocation = #_sourceLocation
  ) async throws {
    let sides = watchedSides.filter { $0.hazard?.id.hasPrefix("\(slug)/\(subject): ") == true }
    #expect(!sides.isEmpty, "nothing of \(subject) is watched", sourceLocation: location)
    await withDiscardingTaskGroup { group in
      for side in sides {
        group.addTask {
          let result = await side.run()
          #expect(
            result.holds, "\(side.mechanism): \(result.outcome) \(result.steps)",
            sourceLocation: location)
        }
      }
    }
  }

  /// Runs A and B at once, a thousand times, in every implementation that is there to go right, and expects what is
  /// right each time.
  ///
  /// - Parameters:
  ///   - subject: The subject's name.
  ///   - location: Where the expectation is written.
  public func expectCures(
    of subject: String, sourceLocation location: SourceLocation = #_sourceLocation
  ) async throws {
    let subject = try #require(
      subjects.first { $0.name == subject }, sourceLocation: location)
    let right = Set(subject.right.map(\.value))
    for implementation in subject.implementations where implementation.isCure {
      guard let outcomes = await implementation.runAtOnce() else { continue }
      #expect(
        outcomes.isSubset(of: right), "\(implementation.mechanism)", sourceLocation: location)
    }
  }
}
