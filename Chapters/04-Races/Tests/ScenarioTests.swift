import Interleaving
import Testing
import Workbook

@testable import Races

/// The six hazards of the old side, the race that actors leave, and the cures, under every schedule.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ScenarioTests {
  static let scenarios = Chapter.races.scenarios.map(\.name)
  /// One step runs at a time, so the sanitizer has nothing to see: there the quick way will do.
  static let ways: [Way] = ThreadSanitizer.isActive ? [.reduced] : [.reduced, .exhaustive]

  @Test(arguments: scenarios, ways)
  func `exactly the declared outcomes, complete`(name: String, way: Way) async throws {
    let scenario = try #require(Chapter.races.scenario(name))
    for version in scenario.versions {
      let result = await version.explore(way.strategy(for: version))
      #expect(result.holds, "\(version.mechanism): \(result.entries) \(result.unseen)")
      guard case .complete = result.completeness else {
        Issue.record("\(version.mechanism): \(result.completeness)")
        continue
      }
    }
  }

  @Test(.enabled(if: !ThreadSanitizer.isActive, "as above"), arguments: scenarios)
  func `the hazard comes with a schedule, a trace and a cause; its cures with none`(
    name: String
  ) async throws {
    let scenario = try #require(Chapter.races.scenario(name))
    let hazard = await scenario.versions[0].explore()
    let entry = try #require(hazard.entries.first { $0.standing == .surprising })
    let failure = try #require(entry.failure)
    switch name {
    // Nothing is overwritten there: B sees, or comes into, what A has done by half.
    case "torn-invariant", "critical-section": #expect(failure.cause == nil)
    default:
      let cause = try #require(failure.cause)
      #expect(cause.contains("before it came back") || cause.contains(staleUse), "\(cause)")
    }
    let schedule = try #require(entry.schedule)
    let again = try await scenario.versions[0].replay(schedule.description)
    // Where nothing orders A and B, the same schedule shows the race, too.
    #expect(again.entries.map(\.outcome).filter { $0 != "race" } == [entry.outcome])
    let shown = again.entries.first { $0.outcome == entry.outcome }
    #expect(shown?.failure?.trace == failure.trace)

    for cure in scenario.versions.dropFirst() where cure.outcomes.map(\.kind) == [.allowed] {
      let result = await cure.explore()
      #expect(result.entries.map(\.standing) == [.allowed], "\(cure.mechanism)")
      #expect(result.entries.allSatisfy { $0.failure == nil }, "\(cure.mechanism)")
    }
  }

  /// As in: A read count = 0; B made it 1; then A wrote 1.
  private var staleUse: Regex<(Substring, Substring, Substring)> {
    /([AB]) read \w+ = .+; ([AB]) made it .+; then \1 wrote .+/
  }
}

/// How a version is explored.
enum Way: Hashable, Sendable {
  case reduced, exhaustive

  func strategy(for version: Version) -> Strategy {
    switch (self, version.strategy) {
    case (.exhaustive, _): .exhaustive
    case (.reduced, .exhaustive): .reduced(assuming: .actorIsolation)
    case (.reduced, let own): own
    }
  }
}
