import Interleaving
import Testing
import Workbook

@testable import Races

/// The race that actors leave, and its cures, under every schedule.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ScenarioTests {
  static let scenarios = Chapter.races.scenarios.map(\.name)
  /// One thread runs every step, so the sanitizer has nothing to see: there the quick one will do.
  static let strategies: [Strategy] =
    [.reduced(assuming: .actorIsolation)] + (ThreadSanitizer.isActive ? [] : [.exhaustive])

  @Test(arguments: scenarios, strategies)
  func `exactly the declared outcomes, complete`(name: String, strategy: Strategy) async throws {
    let scenario = try #require(Chapter.races.scenario(name))
    for version in scenario.versions {
      let result = await version.explore(strategy)
      #expect(result.holds, "\(version.mechanism): \(result.entries) \(result.unseen)")
      guard case .complete = result.completeness else {
        Issue.record("\(version.mechanism): \(result.completeness)")
        continue
      }
    }
  }

  @Test(.enabled(if: !ThreadSanitizer.isActive, "as above"), arguments: scenarios)
  func `the hazard comes with a schedule, a trace and a cause; its cure with none`(
    name: String
  ) async throws {
    let scenario = try #require(Chapter.races.scenario(name))
    let hazard = await scenario.versions[0].explore()
    let entry = try #require(hazard.entries.first { $0.standing == .surprising })
    let failure = try #require(entry.failure)
    #expect(failure.cause?.contains("before it came back") == true)
    let schedule = try #require(entry.schedule)
    let again = try await scenario.versions[0].replay(schedule.description)
    #expect(again.entries.map(\.outcome) == [entry.outcome])
    #expect(again.entries.first?.failure?.trace == failure.trace)

    let cure = await scenario.versions[1].explore()
    #expect(cure.entries.map(\.standing) == [.allowed])
  }
}
