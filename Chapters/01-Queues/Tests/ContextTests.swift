import Dispatch
import Testing
import Workbook

@testable import Queues

@Suite struct ContextTests {
  @Test func `queue-specific data is found on the queue and on those that target it`() {
    let queue = Queued.RequestContext.queue(for: 7)
    let reply = DispatchQueue(label: "reply", target: queue)
    #expect(queue.sync { Queued.RequestContext.request } == 7)
    #expect(reply.sync { Queued.RequestContext.request } == 7)
    #expect(
      queue.sync { DispatchQueue(label: "other").sync { Queued.RequestContext.request } } == nil)
    #expect(Queued.RequestContext.request == nil)
  }

  @Test
  func `a task-local value is found in children and tasks, not in detached ones or on queues`()
    async
  {
    await Tasked.RequestContext.$request.withValue(7) {
      async let child = Tasked.RequestContext.request
      #expect(await child == 7)
      #expect(await Task { Tasked.RequestContext.request }.value == 7)
      #expect(await Task.detached { Tasked.RequestContext.request }.value == nil)
      let onQueue = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: Tasked.RequestContext.request)
        }
      }
      #expect(onQueue == nil)
      Tasked.RequestContext.$request.withValue(8) {
        #expect(Tasked.RequestContext.request == 8)
      }
      #expect(Tasked.RequestContext.request == 7)
    }
    #expect(Tasked.RequestContext.request == nil)
  }

  @Test func `queues with one serial target never file at the same time`() async {
    let cabinet = Targeted.Cabinet()
    let letter = await interrupt { pause in
      cabinet.fileInvoice(pause)
    } by: {
      cabinet.fileLetter {}
    }
    #expect(letter == .waits)
  }

  @Test func `services isolated to one actor never file at the same time`() async {
    let cabinet = Isolated.Cabinet()
    let letter = await interrupt { pause in
      await cabinet.fileInvoice(pause)
    } by: {
      await cabinet.fileLetter {}
    }
    #expect(letter == .waits)
  }
}
