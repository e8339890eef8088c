import Testing
import Workbook

@Suite struct VirtualClockTests {
  @Test func `a sleeper wakes when its time has come, and not before`() async throws {
    let clock = VirtualClock()
    let steps = Transcript()
    let sleeper = Task {
      try await clock.sleep(for: .seconds(180))
      steps.say("awake")
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(179))
    steps.say("179")
    clock.advance(by: .seconds(1))
    try await sleeper.value
    #expect(steps.steps == ["179", "awake"])
    #expect(clock.now == VirtualClock().now.advanced(by: .seconds(180)))
  }

  @Test func `a sleeper that is cancelled throws, before and during its sleep`() async {
    let clock = VirtualClock()
    let during = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers(1)
    during.cancel()
    await #expect(throws: CancellationError.self) { try await during.value }

    let before = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await before.value }
  }

  @Test func `a deadline that has passed does not sleep`() async throws {
    let clock = VirtualClock()
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: VirtualClock().now)
  }
}
