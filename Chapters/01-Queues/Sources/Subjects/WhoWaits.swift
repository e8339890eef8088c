import Dispatch
import Workbook

extension Subject {
  static let whoWaits = Subject(
    "who-waits",
    asks: "The first log takes time. Does the caller wait for it before it writes the second?",
    implementations: [
      .before("sync", waits, neverGoesOn) { _ in
        let (log, takesTime) = (Transcript(), DispatchSemaphore(value: 0))
        DispatchQueue.global().async { takesTime.signal() }
        Queued.TwoLogs().waiting(for: { takesTime.wait() }, log: { log.say($0) })
        return log.steps.joined(separator: ", ")
      }
      .code("TwoLogsQueue.swift", "queue.sync"),
      .before("async", goesOn, neverWaits) { _ in
        let (log, takesTime) = (Transcript(), DispatchSemaphore(value: 0))
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
      }
      .code("TwoLogsQueue.swift", "queue.async"),
      .after("await", waits, neverGoesOn) { _ in
        let (log, takesTime) = (Transcript(), Gate())
        DispatchQueue.global().async { takesTime.open() }
        await Awaited.TwoLogs().waiting(for: { await takesTime.wait() }, log: { log.say($0) })
        return log.steps.joined(separator: ", ")
      }
      .code("TwoLogsAsync.swift", "await first()"),
      .after("Task", goesOn, neverWaits) { _ in
        let (log, takesTime) = (Transcript(), Gate())
        let first = Awaited.TwoLogs().notWaiting(
          for: { await takesTime.wait() }, log: { log.say($0) })
        takesTime.open()
        await first.value
        return log.steps.joined(separator: ", ")
      }
      .code("TwoLogsAsync.swift", "let task = Task"),
    ])

  private static let (waits, neverWaits) = either("First Log, Second Log")
  private static let (goesOn, neverGoesOn) = either("Second Log, First Log")

  private static func either(_ order: String) -> (Outcome, Outcome) {
    (.allowed(order), .forbidden(order))
  }
}
