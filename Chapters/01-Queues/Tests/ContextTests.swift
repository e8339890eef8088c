import Dispatch
import Synchronization
import Testing
import Workbook

@testable import Queues

@Suite struct ContextTests {
  @Test func `queue-specific data is found on the queue and on those that target it`() {
    let queue = RequestContextQueue.queue(for: 7)
    let reply = DispatchQueue(label: "reply", target: queue)
    #expect(queue.sync { RequestContextQueue.request } == 7)
    #expect(reply.sync { RequestContextQueue.request } == 7)
    #expect(
      queue.sync { DispatchQueue(label: "other").sync { RequestContextQueue.request } } == nil)
    #expect(RequestContextQueue.request == nil)
  }

  @Test func `a task-local value is found in children and tasks, not in detached ones`() async {
    await RequestContextTaskLocal.$request.withValue(7) {
      async let child = RequestContextTaskLocal.request
      #expect(await child == 7)
      #expect(await Task { RequestContextTaskLocal.request }.value == 7)
      #expect(await Task.detached { RequestContextTaskLocal.request }.value == nil)
      RequestContextTaskLocal.$request.withValue(8) {
        #expect(RequestContextTaskLocal.request == 8)
      }
      #expect(RequestContextTaskLocal.request == 7)
    }
    #expect(RequestContextTaskLocal.request == nil)
  }

  @Test func `queues with one target never file at the same time`() {
    let cabinet = CabinetTargetQueue()
    let inside = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for _ in 0..<250 {
        let file = worker.isMultiple(of: 2) ? cabinet.fileInvoice : cabinet.fileLetter
        file {
          #expect(inside.add(1, ordering: .relaxed).newValue == 1)
          inside.subtract(1, ordering: .relaxed)
        }
      }
    }
  }

  @Test func `services isolated to one actor never file at the same time`() async {
    let cabinet = CabinetActor()
    let inside = Counter()
    await inTasks(4) { task in
      for _ in 0..<250 {
        let file = task.isMultiple(of: 2) ? cabinet.fileInvoice : cabinet.fileLetter
        await file {
          #expect(inside.count.add(1, ordering: .relaxed).newValue == 1)
          inside.count.subtract(1, ordering: .relaxed)
        }
      }
    }
  }

  private final class Counter: Sendable {
    let count = Atomic(0)
  }
}
