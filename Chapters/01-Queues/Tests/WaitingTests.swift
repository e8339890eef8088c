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
}
