import Dispatch
import Workbook

extension Subject {
  static let runLater = Subject(
    "run-later",
    asks: "A hint is due in a moment, and the screen goes away first. Does its code still run?",
    right: .allowed("never ran"),
    implementations: [
      .before(
        "asyncAfter with a block", .surprising("ran", "a block cannot be taken back")
      ) { _ in
        await onScreen { queue, shown in
          let hint = Queued.Hint(on: queue) { _ in shown.say("hint") }
          hint.screenAppears(hintAfter: .milliseconds(1))
          hint.screenDisappears()
        }
      }
      .alwaysWrong,
      .before("asyncAfter with a work item, cancelled") { _ in
        await onScreen { queue, shown in
          let hint = Cancellable.Hint(on: queue) { shown.say("hint") }
          hint.screenAppears(hintAfter: .milliseconds(1))
          hint.screenDisappears()
        }
      },
      .after("a task that sleeps, cancelled") { stage in
        let (clock, shown) = (VirtualClock(), Transcript())
        let hint = Isolated.Hint(on: clock) { shown.say("hint") }
        await hint.screenAppears(hintAfter: .seconds(1))
        await clock.waitForSleepers(1)
        await hint.screenDisappears()
        clock.advance(by: .seconds(3_600))
        stage.say("an hour passes on a virtual clock")
        return shown.steps.isEmpty ? "never ran" : "ran"
      },
    ])
}

/// Whether something is shown that a screen began and took back within a block of its queue.
///
/// What is due later on the same queue says when the hint would have run.
private func onScreen(
  _ comeAndGo: (_ queue: DispatchQueue, _ shown: Transcript) -> Void
) async -> String {
  let (queue, shown) = (DispatchQueue(label: "screen"), Transcript())
  await withCheckedContinuation { continuation in
    queue.sync {
      comeAndGo(queue, shown)
      queue.asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
    }
  }
  return shown.steps.isEmpty ? "never ran" : "ran"
}
