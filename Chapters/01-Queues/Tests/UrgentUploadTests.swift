import PrioritySimulation
import Testing
import Workbook

@testable import Queues

@Suite(.timeLimit(.minutes(30))) struct UrgentUploadTests {
  @Test(arguments: [0, 30, 300])
  func `where nobody is raised, an urgent upload waits for all of the search`(
    _ search: Int
  ) throws {
    #expect(try blocked(.fifoQueue, search: search) == 19 + search)
  }

  @Test(arguments: [0, 30, 300])
  func `where what is ahead is raised, the search does not matter`(_ search: Int) throws {
    #expect(try blocked(.fifoQueueWithOverride, search: search) == 19)
  }

  private func blocked(_ policy: LockingProtocol, search: Int) throws -> Int {
    try simulate(.uploads(search: search), under: policy).responses[0].blocked
  }

  /// Not simulated: the first upload does not end before it is raised.
  @Test func `an urgent upload raises the tasks ahead of it, and is sent after them`() async {
    let (isRaised, sent) = (Gate(), Transcript())
    let uploads = Tasked.Uploads { upload in
      if upload.name == "a" {
        await withTaskPriorityEscalationHandler {
          // Raised before it began, it is not told.
          if Task.currentPriority == .high { isRaised.open() }
          await isRaised.wait()
        } onPriorityEscalated: { _, _ in
          isRaised.open()
        }
        sent.say("raised: \(Task.currentPriority == .high)")
      }
      sent.say(upload.name)
    }
    uploads.submit([Upload("a"), Upload("b"), Upload("c", isUrgent: true)])
    await inBackground { await uploads.finish() }
    #expect(sent.steps == ["raised: true", "a", "b", "c"])
  }

  /// The same with a stream: its consumer is not awaited by anybody.
  @Test func `an urgent upload leaves the consumer of a stream as it is`() async {
    let (isUrgentIn, sent) = (Gate(), Transcript())
    let uploads = await inBackground {
      Streamed.Uploads { upload in
        await isUrgentIn.wait()
        sent.say("\(upload.name), raised: \(Task.currentPriority > .background)")
      }
    }
    uploads.submit([Upload("a")])
    uploads.submit([Upload("b", isUrgent: true)])
    isUrgentIn.open()
    await inBackground { await uploads.finish() }
    #expect(sent.steps == ["a, raised: false", "b, raised: false"])
  }
}

/// Runs code in a task of the lowest priority, which is not awaited as a task: that would raise it.
private func inBackground<Value: Sendable>(
  _ body: @escaping @Sendable () async -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    Task.detached(priority: .background) { continuation.resume(returning: await body()) }
  }
}
