import Dispatch
import Testing
import Workbook

@testable import Queues

@Suite struct WaitingTests {
  @Test func `sync and await wait for the first log`() async {
    let queueLog = Transcript()
    TwoLogsQueue().waiting(for: {}, log: { queueLog.say($0) })
    #expect(queueLog.steps == ["First Log", "Second Log"])

    let asyncLog = Transcript()
    await TwoLogsAsync().waiting(for: { await Task.yield() }, log: { asyncLog.say($0) })
    #expect(asyncLog.steps == ["First Log", "Second Log"])
  }

  @Test func `async goes on while the first log takes its time`() async {
    let log = Transcript()
    let takesTime = DispatchSemaphore(value: 0)
    await withCheckedContinuation { continuation in
      TwoLogsQueue().notWaiting {
        takesTime.wait()
      } log: {
        log.say($0)
      } completion: {
        continuation.resume()
      }
      #expect(log.steps == ["Second Log"])
      takesTime.signal()
    }
    #expect(log.steps == ["Second Log", "First Log"])
  }

  @Test func `a task goes on while the first log takes its time`() async {
    let log = Transcript()
    let takesTime = Gate()
    let first = TwoLogsAsync().notWaiting(for: { await takesTime.wait() }, log: { log.say($0) })
    #expect(log.steps == ["Second Log"])
    takesTime.open()
    await first.value
    #expect(log.steps == ["Second Log", "First Log"])
  }

  @MainActor
  @Test func `a task starts later, an immediate one at once up to its first await`() async {
    let log = Transcript()
    let task = Task { log.say("task") }
    let immediate = Task.immediate {
      log.say("immediate")
      await Task.yield()
      log.say("immediate, after its await")
    }
    log.say("caller")
    await task.value
    await immediate.value
    #expect(log.steps.prefix(2) == ["immediate", "caller"])
    #expect(log.steps.count == 4)
  }

  @MainActor
  @Test func `the main actor and main.async are served by one queue, in order`() async {
    let log = Transcript()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { log.say("queue 1") }
      Task { log.say("task 2") }
      DispatchQueue.main.async { log.say("queue 3") }
      Task(priority: .high) { log.say("task 4") }
      DispatchQueue.main.async {
        log.say("queue 5")
        continuation.resume()
      }
    }
    #expect(log.steps == ["queue 1", "task 2", "queue 3", "task 4", "queue 5"])
  }

  @Test func `a blocked queue holds a thread, and Dispatch makes another`() {
    let queues = (0..<8).map { DispatchQueue(label: "\($0)") }
    let isInside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    for queue in queues {
      queue.async {
        isInside.signal()
        mayLeave.wait()
      }
    }
    for _ in queues { isInside.wait() }
    for _ in queues { mayLeave.signal() }
  }
}
