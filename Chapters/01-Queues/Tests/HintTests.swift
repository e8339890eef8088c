import Dispatch
import Testing
import Workbook

@testable import Queues

@Suite struct HintTests {
  @Test func `a work item that was taken back keeps what it captured until its time`() {
    final class Screen: Sendable {}
    weak var screen: Screen?
    do {
      let shown = Screen()
      screen = shown
      let item = DispatchWorkItem { withExtendedLifetime(shown) {} }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3_600), execute: item)
      item.cancel()
    }
    #expect(screen != nil)
  }

  @Test func `a task that was cancelled lets go of what it captured`() async {
    final class Screen: Sendable {}
    weak var screen: Screen?
    let clock = VirtualClock()
    do {
      let shown = Screen()
      screen = shown
      let task = Task { [shown] in
        try? await clock.sleep(for: .seconds(3_600))
        withExtendedLifetime(shown) {}
      }
      await clock.waitForSleepers(1)
      task.cancel()
      await task.value
    }
    #expect(screen == nil)
  }

  @Test func `a hint is shown when its time has come, and not before`() async {
    let clock = VirtualClock()
    let shown = Transcript()
    let hint = await Awaited.Hint(on: clock) { shown.say("hint") }
    await hint.screenAppears(hintAfter: .seconds(1))
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(999))
    #expect(shown.steps.isEmpty)
    clock.advance(by: .milliseconds(1))
    await hint.hint?.value
    #expect(shown.steps == ["hint"])
  }

  @Test func `a hint that is due, and taken back before it came to run, is never shown`() async {
    let clock = VirtualClock()
    let shown = Transcript()
    let hint = await Awaited.Hint(on: clock) { shown.say("hint") }
    await hint.screenAppears(hintAfter: .seconds(1))
    await clock.waitForSleepers(1)
    await hint.takeBackWhenDue { clock.advance(by: .seconds(1)) }
    await hint.hint?.value
    #expect(shown.steps.isEmpty)
  }
}

extension Awaited.Hint {
  /// In one step of the main actor, so that the hint cannot run in between.
  fileprivate func takeBackWhenDue(_ makeDue: @Sendable () -> Void) {
    makeDue()
    hint?.cancel()
  }
}
