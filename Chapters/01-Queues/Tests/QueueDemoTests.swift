import Testing
import Workbook

@testable import Queues

@Suite struct QueueDemoTests {
  @Test(arguments: Chapter.queues.demos.map(\.name))
  func `what the demo claims holds`(_ name: String) async throws {
    let demo = try #require(Chapter.queues.demo(name))
    for side in await demo.run().sides {
      #expect(side.holds, "\(side.side.mechanism): \(side.outcome) \(side.steps)")
    }
  }
}
