import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Timers

@Suite(.timeLimit(.minutes(30))) struct ReminderTests {
  @Test func `a reminder comes, and nobody has to keep it`() async throws {
    let (queued, clocked, clock) = (Gate(), Gate(), VirtualClock())
    _ = try Queued.Reminder(after: .milliseconds(1), on: DispatchQueue(label: "r")) {
      queued.open()
    }
    try Clocked.reminder(after: .hour, on: clock) { clocked.open() }
    await clock.waitForSleepers(1)
    clock.advance(by: .hour)
    await queued.wait()
    await clocked.wait()
  }

  @Test func `a reminder that is cancelled does not come`() async throws {
    let (shown, queue, clock) = (Notes<String>(), DispatchQueue(label: "r"), VirtualClock())
    try queue.sync {
      let reminder = try Queued.Reminder(after: .zero, on: queue) { shown.note("queue") }
      let appointment = Queued.Appointment(at: .distantPast, on: queue) { shown.note("wall") }
      reminder.cancel()
      appointment.cancel()
    }
    let isOver = Gate()
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) { isOver.open() }
    await isOver.wait()

    let tasks = [
      try Clocked.reminder(after: .hour, on: clock) { shown.note("clock") },
      Clocked.appointment(at: .now + 3_600, on: clock) { shown.note("date") },
    ]
    await clock.waitForSleepers(2)
    for task in tasks {
      task.cancel()
      _ = await task.result
    }
    #expect(shown.values == [])
  }

  @Test func `a debounce that is cancelled gives nothing, and goes on with what comes next`()
    async throws
  {
    let (given, queue) = (Notes<String>(), DispatchQueue(label: "r"))
    let debounce = try Queued.Debounce<String>(for: .zero, on: queue, give: given.note)
    // On the queue, so that nothing is given before it is cancelled.
    queue.sync {
      debounce.send("a")
      debounce.cancel()
    }
    debounce.finish()
    debounce.send("b")
    await given.wait(for: 1)
    #expect(given.values == ["b"])
  }

  @Test func `a date that is past is at once`() async {
    let (queued, clocked) = (Gate(), Gate())
    _ = Queued.Appointment(at: .now - 1, on: DispatchQueue(label: "r")) { queued.open() }
    _ = Clocked.appointment(at: .now - 1) { clocked.open() }
    await queued.wait()
    await clocked.wait()
  }

  @Test func `an appointment follows the clock on the wall, a minute late at most`() async throws {
    let (clock, wall, isThere) = (VirtualClock(), Wall(), Gate())
    let date = wall.now.addingTimeInterval(3_600)
    let task = Clocked.appointment(
      at: date, on: clock, now: { wall.now }, { isThere.open() })
    await clock.waitForSleepers(1)
    // The clock is set forward by an hour, and the machine has slept for none of it.
    wall.pass(3_600)
    clock.advance(by: .seconds(60))
    try await task.value
    await isThere.wait()
  }

  private final class Wall: Sendable {
    private let time = Mutex(Date(timeIntervalSinceReferenceDate: 0))

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
  }
}
