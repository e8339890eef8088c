import Interleaving
import Testing
import Workbook

@testable import PriorityInversion

/// Whoever is raised, one at a time is inside: under every schedule.
@Suite(.timeLimit(.minutes(5))) struct ScenarioTests {
  @Test(arguments: Chapter.priorityInversion.scenarios.map(\.name))
  func `exactly the declared outcomes, complete`(name: String) async throws {
    let scenario = try #require(Chapter.priorityInversion.scenario(name))
    for version in scenario.versions {
      let result = await version.explore()
      #expect(result.holds, "\(version.mechanism): \(result.entries) \(result.unseen)")
      guard case .complete = result.completeness else {
        Issue.record("\(version.mechanism): \(result.completeness)")
        continue
      }
    }
  }
}
