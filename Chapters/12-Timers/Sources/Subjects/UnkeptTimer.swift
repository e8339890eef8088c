import Dispatch
import Workbook

extension Subject {
  static let unkeptTimer = Subject(
    "unkept-timer",
    asks: "A save is due in a moment, and nobody keeps what waits for it. Is it made?",
    right: .allowed("written once"),
    implementations: [
      .before(
        "timer in a local variable",
        .surprising("not written", "a source that nobody keeps never fires")
      ) { (_: Stage) in
        onceDue { queue, disk in
          Unkept.saveLater(
            Document("a"), after: .milliseconds(1), on: queue, write: disk.write)
        }
      }
      .code("AutosaverUnkept.swift", "let timer")
      .alwaysWrong,
      .before("asyncAfter") { (_: Stage) in
        try onceDue { queue, disk in
          _ = try Queued.Reminder(after: .milliseconds(1), on: queue) {
            disk.write(Document.Version(text: "a", number: 1))
          }
        }
      }
      .code("ReminderQueue.swift", "queue.asyncAfter"),
      .after("task") { _ in
        let (clock, disk, isWritten) = (VirtualClock(), Disk(), Gate())
        try Clocked.reminder(after: .hour, on: clock) {
          await disk.writeLater(Document.Version(text: "a", number: 1))
          isWritten.open()
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .hour)
        await isWritten.wait()
        return disk.written
      }
      .code("ReminderClock.swift", "return Task"),
    ])
}

/// What has been written when something is over that is due later, on the same queue.
private func onceDue(_ begin: (DispatchQueue, Disk) throws -> Void) rethrows -> String {
  let (queue, disk) = (DispatchQueue(label: "save"), Disk())
  let isOver = DispatchSemaphore(value: 0)
  // On the queue, so that nothing is called before the timer's owner has gone.
  try queue.sync { try begin(queue, disk) }
  queue.asyncAfter(deadline: .now() + .milliseconds(20)) { isOver.signal() }
  isOver.wait()
  return disk.written
}
