import Dispatch
import Workbook

extension Subject {
  static let runLater = Subject(
    "run-later",
    asks: "A hint is due in a moment. The screen goes away and comes back. How often is it shown?",
    right: .allowed("shown once"),
    implementations: [
      .before(
        "asyncAfter with a block, and a flag",
        .surprising("shown twice", "the flag is up again when the first block runs")
      ) { _ in
        onScreen { queue, shown in
          let hint = Queued.Hint(on: queue) { shown.say("hint") }
          hint.screenAppears(hintAfter: .milliseconds(1))
          hint.screenDisappears()
          hint.screenAppears(hintAfter: .milliseconds(1))
        }
      }
      .code("HintQueue.swift", "isVisible = true")
      .alwaysWrong,
      .before("asyncAfter with a work item, cancelled") { _ in
        onScreen { queue, shown in
          let hint = Cancellable.Hint(on: queue) { shown.say("hint") }
          hint.screenAppears(hintAfter: .milliseconds(1))
          hint.screenDisappears()
          hint.screenAppears(hintAfter: .milliseconds(1))
        }
      }
      .code("HintWorkItem.swift", "self.hint?.cancel()"),
      .after("a task that sleeps, cancelled") { stage in
        let (clock, shown) = (VirtualClock(), Transcript())
        let hint = await Awaited.Hint(on: clock) { shown.say("hint") }
        await hint.screenAppears(hintAfter: .seconds(1))
        await clock.waitForSleepers(1)
        await hint.screenDisappears()
        await hint.hint?.value
        await hint.screenAppears(hintAfter: .seconds(1))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3_600))
        stage.say("an hour passes on a virtual clock")
        await hint.hint?.value
        return shown.steps.often
      }
      .code("HintClock.swift", "clock.sleep"),
    ])
}

/// How often something is shown that a screen began within a block of its queue.
///
/// What is due later on the same queue says when all of it has been.
private func onScreen(
  _ comeAndGo: (_ queue: DispatchQueue, _ shown: Transcript) -> Void
) -> String {
  let (queue, shown) = (DispatchQueue(label: "screen"), Transcript())
  let isOver = DispatchSemaphore(value: 0)
  queue.sync {
    comeAndGo(queue, shown)
    queue.asyncAfter(deadline: .now() + .milliseconds(20)) { isOver.signal() }
  }
  isOver.wait()
  return shown.steps.often
}

extension [String] {
  fileprivate var often: String {
    count == 0 ? "never shown" : count == 1 ? "shown once" : "shown twice"
  }
}
