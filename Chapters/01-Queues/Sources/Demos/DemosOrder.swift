import Dispatch
import Workbook

extension Demo {
  static let whoWaits = Demo(
    "who-waits",
    asks: "The first log takes time. Does the caller wait for it before it writes the second?",
    sides: [
      .before("sync", .allowed("First Log, Second Log"), .forbidden("Second Log, First Log")) { _ in
        let log = Transcript()
        await blocking {
          let takesTime = DispatchSemaphore(value: 0)
          DispatchQueue.global().async { takesTime.signal() }
          Queued.TwoLogs().waiting(for: { takesTime.wait() }, log: { log.say($0) })
        }
        return log.steps.joined(separator: ", ")
      },
      .before("async", .allowed("Second Log, First Log"), .forbidden("First Log, Second Log")) {
        _ in
        let log = Transcript()
        let takesTime = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
          Queued.TwoLogs().notWaiting {
            takesTime.wait()
          } log: {
            log.say($0)
          } completion: {
            continuation.resume()
          }
          takesTime.signal()
        }
        return log.steps.joined(separator: ", ")
      },
      .after("await", .allowed("First Log, Second Log"), .forbidden("Second Log, First Log")) { _ in
        let log = Transcript()
        let takesTime = Gate()
        DispatchQueue.global().async { takesTime.open() }
        await Awaited.TwoLogs().waiting(for: { await takesTime.wait() }, log: { log.say($0) })
        return log.steps.joined(separator: ", ")
      },
      .after("Task", .allowed("Second Log, First Log"), .forbidden("First Log, Second Log")) { _ in
        let log = Transcript()
        let takesTime = Gate()
        let first = Awaited.TwoLogs().notWaiting(
          for: { await takesTime.wait() }, log: { log.say($0) })
        takesTime.open()
        await first.value
        return log.steps.joined(separator: ", ")
      },
    ])

  static let taskStart = Demo(
    "task-start",
    asks: "Code on the main queue starts work for the main queue. Which comes first?",
    sides: [
      .before(
        "main.async", .allowed("caller, work"),
        .forbidden("work, caller")
      ) { _ in
        let order = Transcript()
        await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            DispatchQueue.main.async {
              order.say("work")
              continuation.resume()
            }
            order.say("caller")
          }
        }
        return order.steps.joined(separator: ", ")
      },
      .after("Task", .allowed("caller, work"), .forbidden("work, caller")) { _ in
        await orderOfStart { work in Task { @MainActor in work() } }
      },
      .after(
        "Task.immediate",
        .surprising("work, caller", "it runs at once, until it first has to wait"),
        .forbidden("caller, work")
      ) { _ in
        await orderOfStart { work in Task.immediate { @MainActor in work() } }
      },
    ])

  static let batchOrder = Demo(
    "batch-order",
    asks:
      "Three uploads are handed over: a, b, and c, which is urgent. In what order are they sent?",
    sides: [
      .before(
        "serial queue, c with a higher QoS",
        .allowed("a b c", "first in, first out: the urgent one waits for the others"),
        .forbidden("c a b")
      ) { _ in await orderSent(of: Queued.Uploads.init(send:)) },
      .after(
        "actor, c with a higher priority",
        .surprising("c a b", "an actor serves by priority"), .forbidden("a b c")
      ) { _ in await orderSent(of: Isolated.Uploads.init(send:)) },
      .after(
        "stream with one consumer", .allowed("a b c", "first in, first out"), .forbidden("c a b")
      ) { _ in await orderSent(of: Streamed.Uploads.init(send:)) },
    ])

  static let inFlight = Demo(
    "in-flight",
    asks: "Upload a is slow, b is not. In what order do they finish?",
    sides: [
      .before("concurrent queue", .allowed("b a"), .forbidden("a b")) { _ in
        let finished = Transcript()
        let isSecondDone = DispatchSemaphore(value: 0)
        let uploads = QueuedAtOnce.Uploads { upload in
          if upload.name == "a" { isSecondDone.wait() }
          finished.say(upload.name)
          if upload.name == "b" { isSecondDone.signal() }
        }
        uploads.submit([Upload("a"), Upload("b")])
        await uploads.finish()
        return finished.steps.joined(separator: " ")
      },
      .after("task group", .allowed("b a"), .forbidden("a b")) { _ in
        let finished = Transcript()
        let isSecondDone = Gate()
        let uploads = Grouped.Uploads { upload in
          if upload.name == "a" { await isSecondDone.wait() }
          finished.say(upload.name)
          if upload.name == "b" { isSecondDone.open() }
        }
        await uploads.upload([Upload("a"), Upload("b")])
        return finished.steps.joined(separator: " ")
      },
    ])
}

@MainActor
private func orderOfStart<T: Sendable>(
  _ start: (@escaping @MainActor @Sendable () -> Void) -> Task<T, Never>
) async -> String {
  let order = Transcript()
  let work = start { order.say("work") }
  order.say("caller")
  _ = await work.value
  return order.steps.joined(separator: ", ")
}

/// Uploads files one at a time. Which comes first is where the implementations differ.
protocol Uploading: Sendable {
  /// Hands over some files; returns without waiting for them.
  func submit(_ batch: [Upload]) async
  /// Waits until everything that was handed over is sent; nothing may be handed over after.
  func finish() async
}

extension Queued.Uploads: Uploading {}
extension Isolated.Uploads: Uploading {}
extension Streamed.Uploads: Uploading {}

private func orderSent(
  of make: (@escaping @Sendable (Upload) -> Void) -> some Uploading
) async -> String {
  let sent = Transcript()
  let uploads = make { sent.say($0.name) }
  await uploads.submit([Upload("a"), Upload("b"), Upload("c", isUrgent: true)])
  await uploads.finish()
  return sent.steps.joined(separator: " ")
}
