import Dispatch
import Foundation
import Synchronization
import Workbook

extension Demo {
  static let runLater = Demo(
    "run-later",
    asks: "A hint is due in a moment, and the screen goes away before. Does its code still run?",
    sides: [
      .before(
        "asyncAfter", .surprising("ran, with the screen gone", "a block cannot be taken back"),
        .forbidden("never ran")
      ) { _ in
        let queue = DispatchQueue(label: "screen")
        return await withCheckedContinuation { continuation in
          let hint = HintQueue(on: queue) { isScreenVisible in
            continuation.resume(
              returning: isScreenVisible
                ? "ran, with the screen there" : "ran, with the screen gone")
          }
          queue.sync {
            hint.screenAppears(hintAfter: .milliseconds(1))
            hint.screenDisappears()
          }
        }
      },
      .after(
        "a task that sleeps, cancelled", .allowed("never ran"),
        .forbidden("ran")
      ) { transcript in
        let clock = VirtualClock()
        let shown = Atomic(0)
        let hint = HintClock(on: clock) { shown.add(1, ordering: .relaxed) }
        await hint.screenAppears(hintAfter: .seconds(1))
        await clock.waitForSleepers(1)
        await hint.screenDisappears()
        clock.advance(by: .seconds(3_600))
        transcript.say("an hour passes on a virtual clock")
        return shown.load(ordering: .relaxed) == 0 ? "never ran" : "ran"
      },
    ])

  static let cancelledWorkItem = Demo(
    "cancelled-work-item",
    asks: "Work is cancelled before it starts. Does its body still begin?",
    sides: [
      .before("DispatchWorkItem", .allowed("not begun"), .forbidden("begun")) { transcript in
        let rows = Atomic(0)
        let item = ThumbnailWorkItem(of: .twoFaces) { _ in rows.add(1, ordering: .relaxed) }
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
        let rows = Atomic(0)
        let isCancelled = Gate()
        let task = ThumbnailTask(of: .twoFaces) { _ in
          await isCancelled.wait()
          rows.add(1, ordering: .relaxed)
        }
        task.cancel()
        isCancelled.open()
        do {
          _ = try await task.photo
          transcript.say("it went on to its end")
        } catch {
          transcript.say("at its first look it throws \(type(of: error))")
        }
        return rows.load(ordering: .relaxed) == 0 ? "not begun" : "begun"
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
        let queue = RequestContextQueue.queue(for: 7)
        let targeting = DispatchQueue(label: "reply", target: queue)
        let own = queue.sync { RequestContextQueue.request }
        let inTargeting = targeting.sync { RequestContextQueue.request }
        let inGlobal = await withCheckedContinuation { continuation in
          queue.async {
            DispatchQueue.global().async {
              continuation.resume(returning: RequestContextQueue.request)
            }
          }
        }
        return "own queue \(own.phrase), targeting queue \(inTargeting.phrase), "
          + "global queue \(inGlobal.phrase)"
      },
      .after(
        "task-local value",
        .allowed("own task 7, child 7, Task 7, detached none"),
        .forbidden("own task 7, child 7, Task 7, detached 7")
      ) { _ in
        await RequestContextTaskLocal.$request.withValue(7) {
          async let child = RequestContextTaskLocal.request
          let task = Task { RequestContextTaskLocal.request }
          let detached = Task.detached { RequestContextTaskLocal.request }
          let own = RequestContextTaskLocal.request
          return "own task \(own.phrase), child \(await child.phrase), "
            + "Task \(await task.value.phrase), detached \(await detached.value.phrase)"
        }
      },
    ])

  static let threadsByPriority = Demo(
    "threads-by-priority",
    asks: "What does a quality of service, or a task priority, change about the thread?",
    sides: [
      .before(
        "global queues: background, utility, default", .allowed(threadMarks),
        .forbidden(noThreadMarks)
      ) { _ in
        var values: [Int32] = []
        for quality in [DispatchQoS.QoSClass.background, .utility, .default] {
          values.append(
            await withCheckedContinuation { continuation in
              DispatchQueue.global(qos: quality).async {
                continuation.resume(returning: threadMark())
              }
            })
        }
        return markName + values.map(String.init).joined(separator: ", ")
      },
      .after(
        "tasks: background, low, medium", .allowed(threadMarks), .forbidden(noThreadMarks)
      ) { _ in
        var values: [Int32] = []
        for priority in [TaskPriority.background, .low, .medium] {
          // Not awaited through its value: that would raise its priority to the waiter's.
          values.append(
            await withCheckedContinuation { continuation in
              Task.detached(priority: priority) {
                continuation.resume(returning: threadMark())
              }
            })
        }
        return markName + values.map(String.init).joined(separator: ", ")
      },
    ])
}

#if canImport(Darwin)
  // Untested: the thread's quality of service there.
  private let markName = "QoS "
  private let threadMarks = "QoS 9, 17, 21"
  private let noThreadMarks = "QoS 21, 21, 21"
  private func threadMark() -> Int32 { Int32(qos_class_self().rawValue) }
#else
  private let markName = "nice "
  private let threadMarks = "nice 10, 2, 0"
  private let noThreadMarks = "nice 0, 0, 0"
  /// How nice the calling thread is, −20 to 19: on Linux each thread has a value of its own.
  private func threadMark() -> Int32 {
    getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
  }
#endif

extension Int? {
  fileprivate var phrase: String { map(String.init) ?? "none" }
}

extension Photo? {
  fileprivate var phrase: String { self == nil ? "no photo" : "a photo" }
}
