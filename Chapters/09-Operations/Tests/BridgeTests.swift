import Foundation
import Testing
import Workbook

@testable import Operations

/// What is between the old code and the new while only a part is ported.
@Suite(.timeLimit(.minutes(30))) struct BridgeTests {
  @Test func `an async function is an operation, which ends with it`() async {
    let (log, isOpen, queue) = (Transcript(), Gate(), OperationQueue())
    let upload = Concurrent.AsyncOperation {
      await isOpen.wait()
      log.say("upload")
    }
    let page = BlockOperation { log.say("page") }
    page.addDependency(upload)
    queue.add([upload, page])
    #expect(!upload.isFinished)
    isOpen.open()
    await queue.drained()
    #expect(log.steps == ["upload", "page"])
  }

  @Test func `its task is cancelled with it`() async {
    let (desk, told, queue) = (Desk(), Transcript(), OperationQueue())
    let upload = Concurrent.AsyncOperation {
      do { _ = try await desk.send(.named("abc")) } catch { told.say("\(type(of: error))") }
    }
    queue.addOperation(upload)
    await desk.waits(for: "abc")
    upload.cancel()
    await queue.drained()
    #expect(told.steps == ["CancellationError"])
  }

  @Test func `operations in any queues are awaited, also when their queue is cancelled`() async {
    let (isOpen, first, second) = (Gate(), OperationQueue(), OperationQueue())
    let held = Concurrent.AsyncOperation { await isOpen.wait() }
    let cancelled = BlockOperation {}
    first.addOperation(held)
    second.isSuspended = true
    second.addOperation(cancelled)
    async let end: Void = [held, cancelled].ended()
    second.cancelAllOperations()
    second.isSuspended = false
    isOpen.open()
    await end
    #expect(held.isFinished)
    #expect(cancelled.isFinished)
    await [held, cancelled].ended()
    await [Operation]().ended()
  }

  @Test func `who awaits operations and is cancelled cancels them`() async {
    let (desk, told, queue) = (Desk(), Transcript(), OperationQueue())
    let upload = Concurrent.UploadOperation(.named("abc"), send: desk.send) { told.say(short($0)) }
    queue.addOperation(upload)
    let end = Task { await [upload].ended() }
    await desk.waits(for: "abc")
    end.cancel()
    await end.value
    #expect(told.steps == ["CancellationError"])
    #expect(upload.isFinished)
  }
}
