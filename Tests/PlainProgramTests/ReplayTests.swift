import ControlledDispatch
import Foundation
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// Schedules that run races in every order, in other explorations and other processes.
@Suite(.requiresWatching) struct ReplayTests {
  @Sendable static func countByStrands() -> Int {
    let counter = PlainCounter()
    strands({ counter.increment() }, { counter.increment() })
    return counter.value
  }

  @Sendable static func countByTasks() async -> Int {
    let counter = PlainCounter()
    async let first: Void = counter.increment()
    async let second: Void = counter.increment()
    _ = await (first, second)
    return counter.value
  }

  @Test func `the schedule of each outcome of a race gives it again`() async throws {
    let byStrands = await explore(.reduced(assuming: .controlledSharing)) { Self.countByStrands() }
    let byTasks = await explore { await Self.countByTasks() }
    #expect(byStrands.outcomes.count == 2 && byTasks.outcomes.count == 2)
    for (outcome, occurrence) in byStrands.outcomes {
      let again = try await replay("\(occurrence.schedule)") { Self.countByStrands() }
      #expect(again.outcomes.keys.contains(outcome) && again.completeness == .replayed, "\(again)")
    }
    for (outcome, occurrence) in byTasks.outcomes {
      let again = try await replay("\(occurrence.schedule)") { await Self.countByTasks() }
      #expect(again.outcomes.keys.contains(outcome) && again.completeness == .replayed, "\(again)")
    }
  }

  @Test func `a race that few schedules meet is found again for a replay`() async throws {
    @Sendable func scenario() -> String {
      let machine = Machine(strands: 2)
      let results = Results()
      // Whether `x` is raced for is known only where the flag was seen.
      strands(
        { results.first = machine.run([.lockedSetY, .setX]) },
        { results.second = machine.run([.lockedReadY, .readXIfAtomic]) },
        { _ = machine.run([.addAtomic, .addAtomic]) })
      return "\(machine.x) \(results.first) \(results.second)"
    }
    let exploration = await explore(.reduced(assuming: .controlledSharing)) { scenario() }
    #expect(exploration.outcomes.count > 2, "\(exploration)")
    for (outcome, occurrence) in exploration.outcomes {
      let again = try await replay("\(occurrence.schedule)") { scenario() }
      #expect(again.outcomes.keys.contains(outcome) && again.completeness == .replayed, "\(again)")
    }
  }

  @Test func `a drop that matters after five preemptions only is found again for a replay`()
    async throws
  {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      await LateLook().run(.strands)
    }
    #expect(Set(exploration.outcomes.keys) == ["", "found", "gone"], "\(exploration)")
    for (outcome, occurrence) in exploration.outcomes {
      let again = try await replay("\(occurrence.schedule)") { await LateLook().run(.strands) }
      #expect(again.outcomes.keys.contains(outcome) && again.completeness == .replayed, "\(again)")
    }
  }

  private final class Results: @unchecked Sendable {
    var first = 0
    var second = 0
  }

  // These were written in another process, of another build.
  @Test(arguments: ["01011.f839": 1, "011.5498": 2])
  func `a schedule of another build gives the same`(_ schedule: String, _ outcome: Int) async throws
  {
    let again = try await replay(schedule) { Self.countByStrands() }
    #expect(Set(again.outcomes.keys) == [outcome], "\(again)")
    #expect(again.completeness == .replayed, "\(again)")
  }
}
