import Dispatch
import Foundation
import Synchronization
import Workbook

extension Demo {
  static let runLater = Demo(
    "run-later",
    asks: "A hint is due in a moment, and the screen goes away first. Does its code still run?",
    sides: [
      .before(
        "asyncAfter with a block", .surprising("ran", "a block cannot be taken back"),
        .forbidden("never ran")
      ) { _ in await runsHint(asWorkItem: false, screenStays: false) ? "ran" : "never ran" },
      .before(
        "asyncAfter with a work item, cancelled", .allowed("never ran"), .forbidden("ran")
      ) { _ in await runsHint(asWorkItem: true, screenStays: false) ? "ran" : "never ran" },
      .after("a task that sleeps, cancelled", .allowed("never ran"), .forbidden("ran")) {
        transcript in
        let clock = VirtualClock()
        let shown = Atomic(0)
        let hint = Isolated.Hint(on: clock) { shown.add(1, ordering: .relaxed) }
        await hint.screenAppears(hintAfter: .seconds(1))
        await clock.waitForSleepers(1)
        await hint.screenDisappears()
        clock.advance(by: .seconds(3_600))
        transcript.say("an hour passes on a virtual clock")
        return shown.load(ordering: .relaxed) == 0 ? "never ran" : "ran"
      },
    ])

  /// Whether the code of a hint runs that is due in a millisecond.
  ///
  /// The queue is busy until the screen has gone, and a second hint, due later on the same queue,
  /// says when the first would have run.
  static func runsHint(asWorkItem: Bool, screenStays: Bool) async -> Bool {
    let queue = DispatchQueue(label: "screen")
    let ran = Transcript()
    let block = Queued.Hint(on: queue) { _ in ran.say("hint") }
    let item = Cancellable.Hint(on: queue) { ran.say("hint") }
    await withCheckedContinuation { continuation in
      queue.sync {
        if asWorkItem {
          item.screenAppears(hintAfter: .milliseconds(1))
          if !screenStays { item.screenDisappears() }
        } else {
          block.screenAppears(hintAfter: .milliseconds(1))
          if !screenStays { block.screenDisappears() }
        }
        queue.asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
      }
    }
    return !ran.steps.isEmpty
  }

  static let cancelledWorkItem = Demo(
    "cancelled-work-item",
    asks: "Work is cancelled before it starts. Does its body still begin?",
    sides: [
      .before("DispatchWorkItem", .allowed("not begun"), .forbidden("begun")) { transcript in
        let rows = Atomic(0)
        let item = Cancellable.Thumbnail(of: .twoFaces) { _ in rows.add(1, ordering: .relaxed) }
        item.cancel()
        let thumbnail = await withCheckedContinuation { continuation in
          item.start(on: .global()) { continuation.resume(returning: $0) }
        }
        transcript.say("the completion is called all the same, with \(thumbnail.phrase)")
        return rows.load(ordering: .relaxed) == 0 ? "not begun" : "begun"
      },
      .after(
        "Task", .surprising("begun", "a task always begins; it has to look"),
        .forbidden("not begun")
      ) { transcript in
        let begun = Transcript()
        let task = await MainActor.run {
          // It cannot begin before the main actor is free, and by then it is cancelled.
          let task = Task { @MainActor in
            begun.say("begun")
            try Task.checkCancellation()
            begun.say("went on")
          }
          task.cancel()
          return task
        }
        if case .failure(let error) = await task.result {
          transcript.say("where it looks, it throws \(type(of: error))")
        }
        return begun.steps.isEmpty ? "not begun" : begun.steps.joined(separator: ", ")
      },
    ])

  static let requestContext = Demo(
    "request-context",
    asks: "Code runs for request 7. Which of the code that it starts knows that?",
    sides: [
      .before(
        "queue-specific data",
        .allowed("own queue 7, targeting queue 7, global queue none"),
        .forbidden("own queue 7, targeting queue 7, global queue 7")
      ) { _ in
        let queue = Queued.RequestContext.queue(for: 7)
        let targeting = DispatchQueue(label: "reply", target: queue)
        let own = queue.sync { Queued.RequestContext.request }
        let inTargeting = targeting.sync { Queued.RequestContext.request }
        let inGlobal = await withCheckedContinuation { continuation in
          queue.async {
            DispatchQueue.global().async {
              continuation.resume(returning: Queued.RequestContext.request)
            }
          }
        }
        return "own queue \(own.phrase), targeting queue \(inTargeting.phrase), "
          + "global queue \(inGlobal.phrase)"
      },
      .after(
        "task-local value",
        .allowed("own task 7, child 7, Task 7, detached none, global queue none"),
        .forbidden("own task 7, child 7, Task 7, detached 7, global queue 7")
      ) { _ in
        await Tasked.RequestContext.$request.withValue(7) {
          async let child = Tasked.RequestContext.request
          let task = Task { Tasked.RequestContext.request }
          let detached = Task.detached { Tasked.RequestContext.request }
          let inGlobal = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              continuation.resume(returning: Tasked.RequestContext.request)
            }
          }
          let own = Tasked.RequestContext.request
          return "own task \(own.phrase), child \(await child.phrase), "
            + "Task \(await task.value.phrase), detached \(await detached.value.phrase), "
            + "global queue \(inGlobal.phrase)"
        }
      },
    ])

  static let threadsByPriority = Demo(
    "threads-by-priority",
    asks: "What does a quality of service, or a task priority, change about the thread?",
    sides: [
      .before(
        "global queues", .allowed("background nicer than default"), .forbidden("all alike")
      ) { transcript in
        var values: [Int32] = []
        for quality in [DispatchQoS.QoSClass.background, .utility, .default] {
          values.append(
            await withCheckedContinuation { continuation in
              DispatchQueue.global(qos: quality).async {
                continuation.resume(returning: threadNiceness())
              }
            })
        }
        return compare(values, transcript)
      },
      .after(
        "tasks of the matching priorities", .allowed("background nicer than default"),
        .forbidden("all alike")
      ) { transcript in
        var values: [Int32] = []
        for priority in [TaskPriority.background, .low, .medium] {
          // Not awaited through its value: that would raise its priority to the waiter's.
          values.append(
            await withCheckedContinuation { continuation in
              Task.detached(priority: priority) {
                continuation.resume(returning: threadNiceness())
              }
            })
        }
        return compare(values, transcript)
      },
    ])
}

/// - Parameter niceness: Of a background, a utility and a default thread.
private func compare(_ niceness: [Int32], _ transcript: Transcript) -> String {
  transcript.say("background \(niceness[0]), utility \(niceness[1]), default \(niceness[2])")
  return niceness[0] > niceness[2] ? "background nicer than default" : "all alike"
}

/// How nice the calling thread is: on Linux each thread has a value of its own, −20 to 19.
private func threadNiceness() -> Int32 {
  #if canImport(Darwin)
    -Int32(qos_class_self().rawValue)  // untested: the quality of service stands for it there
  #else
    getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
  #endif
}

extension Int? {
  fileprivate var phrase: String { map(String.init) ?? "none" }
}

extension Photo? {
  fileprivate var phrase: String { self == nil ? "no photo" : "a photo" }
}
