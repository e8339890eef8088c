import Dispatch
import Testing
import Workbook

@testable import Queues

@Suite struct WaitingTests {
  @MainActor
  @Test func `a task starts later, an immediate one at once, until it has to wait`() async {
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
