import Dispatch
import Foundation
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

  @Test
  func `a task-local value is found in children and tasks, not in detached ones or on queues`()
    async
  {
    await RequestContextTaskLocal.$request.withValue(7) {
      async let child = RequestContextTaskLocal.request
      #expect(await child == 7)
      #expect(await Task { RequestContextTaskLocal.request }.value == 7)
      #expect(await Task.detached { RequestContextTaskLocal.request }.value == nil)
      let onQueue = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: RequestContextTaskLocal.request)
        }
      }
      #expect(onQueue == nil)
      RequestContextTaskLocal.$request.withValue(8) {
        #expect(RequestContextTaskLocal.request == 8)
      }
      #expect(RequestContextTaskLocal.request == 7)
    }
    #expect(RequestContextTaskLocal.request == nil)
  }

  @Test func `queues with one serial target never file at the same time`() async {
    let cabinet = CabinetTargetQueue()
    let drawer = Drawer()
    await inTasks(2) { task, _ in
      for _ in 0..<500 {
        task == 0 ? cabinet.fileInvoice(drawer.file) : cabinet.fileLetter(drawer.file)
      }
    }
  }

  @Test func `services isolated to one actor never file at the same time`() async {
    let cabinet = CabinetActor()
    let drawer = Drawer()
    await inTasks(2) { task, _ in
      for _ in 0..<500 {
        if task == 0 {
          await cabinet.fileInvoice(drawer.file)
        } else {
          await cabinet.fileLetter(drawer.file)
        }
      }
    }
  }

  /// Notices two who file at once; the yield gives them the time to meet.
  private final class Drawer: Sendable {
    private let inside = Atomic(0)

    @Sendable func file() {
      #expect(inside.add(1, ordering: .relaxed).newValue == 1)
      sched_yield()
      inside.subtract(1, ordering: .relaxed)
    }
  }
}
