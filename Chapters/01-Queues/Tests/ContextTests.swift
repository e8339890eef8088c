import Dispatch
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
    let letter = await interrupt { pause in
      cabinet.fileInvoice(pause)
    } by: {
      cabinet.fileLetter {}
    }
    #expect(letter == .waits)
  }

  @Test func `services isolated to one actor never file at the same time`() async {
    let cabinet = CabinetActor()
    let letter = await interrupt { pause in
      await cabinet.fileInvoice(pause)
    } by: {
      await cabinet.fileLetter {}
    }
    #expect(letter == .waits)
  }
}
