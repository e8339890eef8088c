import Testing
import Workbook

@testable import Deadlocks

@Suite(.timeLimit(.minutes(10))) struct DeadlockTests {
  /// The table has a test of its own.
  @Test(arguments: Chapter.deadlocks.demos.map(\.name).filter { $0 != "table" })
  func `what the demo claims holds`(_ name: String) async throws {
    let demo = try #require(Chapter.deadlocks.demo(name))
    for side in demo.sides {
      let result = await shown(side)
      #expect(result.holds, "\(side.mechanism): \(result.outcome) \(result.steps)")
    }
  }

  @Test func `a cycle of Mutexes ends with a message that calls it recursive`() async throws {
    let report = try await Hazard.twoMutexes.run()
    #expect(report.errors.contains { $0.hasSuffix("Fatal error: Recursive call to lock Mutex") })
  }

  @Test func `a queue that waits for itself ends without a word`() async throws {
    let report = try await Hazard.ownQueue.run()
    #expect(report.outcome == "trap")
    #expect(report.errors.isEmpty)
  }
}
