import ChapterTesting
import Foundation
import PrioritySimulation
import Testing
import Workbook

@testable import PriorityInversion

@Suite(.timeLimit(.minutes(30))) struct InversionTests {
  /// The table and the long runs of threads have tests of their own.
  @Test(
    arguments: Chapter.priorityInversion.demos.map(\.name).filter {
      !["table", "unbounded"].contains($0)
    })
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.priorityInversion.expectClaims(of: name)
  }

  /// Each wait, as `tell` says it; nil where threads with fixed priorities are not permitted.
  private func wait(of hazard: Hazard) async throws -> (verdict: String, milliseconds: Int)? {
    let report = try await hazard.run()
    guard report.outcome != skipped else { return nil }
    let line = try #require(report.steps.last { $0.hasPrefix("high waits") })
    let number = try #require(line.firstMatch(of: /high waits (\d+) ms/)?.1)
    return (report.outcome, Int(number)!)
  }

  /// A longer middle makes high wait longer by as much, at least: it waits for all that middle computes. How
  /// long it waits with inheritance depends on the machine; that it does not wait for middle does not.
  @Test func `without a protocol the wait grows with the middle's work, with one it does not`()
    async throws
  {
    for middle in [20, 60] {
      guard let without = try await wait(of: .without(middle: middle)) else { return }
      #expect(without.verdict == "high after middle")
      #expect(without.milliseconds >= middle)
      let with = try #require(await wait(of: .with(middle: middle)))
      #expect(with.verdict == "high before middle")
    }
  }

  @Test func `each of the three places of the plot has its threads`() throws {
    let demo = try #require(Chapter.priorityInversion.demo("unbounded"))
    #expect(
      demo.sides.compactMap(\.hazard?.id)
        == [200, 950, 2_000].flatMap {
          ["priority-inversion/without-\($0)", "priority-inversion/with-\($0)"]
        })
  }

  @Test func `what is simulated grows in step with the middle's work`() async throws {
    let demo = try #require(Chapter.priorityInversion.demo("unbounded"))
    let side = await demo.sides[0].run()
    #expect(side.holds, "\(side.outcome)")
  }

  @Test(arguments: [5, 20, 80])
  func `tasks that nobody raises wait for all of middle, others for a part`(middle: Int) async {
    for awaited in Awaited.all {
      let story = await encounter(awaiting: awaited, middle: middle)
      let wait = story.time(of: .highIsInside)! - story.time(of: .highAsks)!
      if awaited.isRaised {
        #expect(wait < 10, "\(awaited)")
      } else {
        #expect(wait > middle, "\(awaited)")
      }
    }
  }

  @Test func `the handler is called once`() async {
    #expect(await escalations() == ["9 to 25"])
  }

  @Test func `a priority that was raised never falls`() async {
    let isRaised = Gate()
    let task = Task.detached(priority: .background) {
      await isRaised.wait()
      return Task.currentPriority
    }
    task.escalatePriority(to: .high)
    task.escalatePriority(to: .utility)
    isRaised.open()
    // Awaited at a lower priority than it has.
    let value = await Task.detached(priority: .utility) { await task.value }.value
    #expect(value == .high)
  }

  @Test func `fixed priorities leave the thread that asks for them as it was`() throws {
    #if os(Linux)
      let before = try affinity()
      for _ in 1...2 {
        do {
          _ = try encounter(at: Posix.Index(.inherit), Load(low: .zero, middle: .zero))
        } catch {}
        #expect(try affinity() == before)
      }
    #endif
  }

  /// The processors that the calling thread may use.
  private func affinity() throws -> String {
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    return String(try #require(status.firstMatch(of: /Cpus_allowed:\s*(\S+)/)?.1))
  }
}
