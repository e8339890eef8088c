import Foundation
import Testing

@testable import DeadlockDetection

/// What a report calls those who wait.
@Suite(.timeLimit(.minutes(30))) struct NameTests {
  @Test func `a watched thread has the name that it was given before it started, however long`()
    async
  {
    let findings = Findings()
    await onThread {
      let lock = WatchedLock("lock", detector: findings.detector)
      let ended = Gate()
      let thread = WatchedThread {
        lock.lock()
        #expect(throws: DeadlockError.self) { try lock.lockOrThrow() }
        lock.unlock()
        ended.open()
      }
      thread.name = "decoder of large pictures"
      thread.start()
      ended.pass()
    }
    #expect(findings.only?.names == ["decoder of large pictures"])
    #expect(findings.only?.description.contains("thread “decoder of large pictures”\n") == true)
  }

  @Test func `a thread without a name is known by its number, which is no name`() async {
    let findings = Findings()
    await onThread {
      let lock = WatchedLock("lock", detector: findings.detector)
      let ended = Gate()
      WatchedThread.detachNewThread {
        lock.lock()
        #expect(throws: DeadlockError.self) { try lock.lockOrThrow() }
        lock.unlock()
        ended.open()
      }
      ended.pass()
    }
    let number = findings.only?.names.first ?? ""
    #expect(UInt(number) != nil)
    #expect(findings.only?.description.contains("\n  thread \(number)\n") == true)
  }

  @Test func `who runs an operation is called by it, and by the queue`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let lock = WatchedLock("lock", detector: detector)
      let queue = WatchedOperationQueue("pictures", detector: detector)
      queue.addOperation("decode") {
        lock.lock()
        #expect(throws: DeadlockError.self) { try lock.lockOrThrow() }
        lock.unlock()
      }
      queue.waitUntilAllOperationsAreFinished()
    }
    let member = findings.only?.members.first?.participant
    #expect(member?.kind == .operation)
    #expect(member?.name == "decode")
    #expect(member?.thread != nil)
    #expect(member?.queue == "pictures")
  }

  @Test func `an operation within another gives the other its name back`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread("caller") {
      let lock = WatchedLock("lock", detector: detector)
      @Sendable func takeTwice() {
        lock.lock()
        #expect(throws: DeadlockError.self) { try lock.lockOrThrow() }
        lock.unlock()
      }
      let outer = WatchedOperation("outer", detector: detector) {
        WatchedOperation("inner", detector: detector) { takeTwice() }.start()
        takeTwice()
      }
      outer.start()
      takeTwice()
    }
    #expect(findings.all.map(\.names) == [["inner"], ["outer"], ["caller"]])
  }
}
