import Foundation
import Synchronization
import Testing

@testable import Workbook

@Suite struct InterruptionTests {
  @Test func `who is locked out waits`() async {
    let lock = NSLock()
    let steps = Transcript()
    let interruption = await interrupt { pause in
      lock.withLock {
        pause()
        steps.say("A")
      }
    } by: {
      lock.withLock { steps.say("B") }
    }
    #expect(interruption == .waits)
    #expect(steps.steps == ["A", "B"])
  }

  @Test func `who is suspended waits`() async {
    let gate = Gate()
    let interruption = await interrupt { pause in
      pause()
      gate.open()
    } by: {
      await gate.wait()
    }
    #expect(interruption == .waits)
  }

  #if os(Linux)
    @Test func `a thread that has been awake in between has not slept without a break`() throws {
      let thread = Mutex<String?>(nil)
      let (isThere, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        thread.withLock { $0 = ThreadSample.currentThread }
        isThere.signal()
        mayGoOn.wait()
        isThere.signal()
        mayGoOn.wait()
      }
      isThere.wait()
      let found = thread.withLock(\.self)
      let name = try #require(found)
      let before = try #require(ThreadSample.switches(of: name))
      while ThreadSample(thread: name)?.isAsleep == false { sched_yield() }
      mayGoOn.signal()
      isThere.wait()
      while ThreadSample(thread: name)?.isAsleep == false { sched_yield() }
      #expect(ThreadSample.switches(of: name) != before)
      mayGoOn.signal()
    }
  #endif

  @Test(arguments: [false, true])
  func `who is not locked out comes in`(isUnguarded: Bool) async {
    let steps = Transcript()
    let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
      pause()
      steps.say("A")
      pause()
    } by: {
      steps.say("B")
    }
    // Unless told, it could take B for waiting if B's thread slept for a reason of its own.
    if isUnguarded {
      #expect(interruption == .comesIn)
      #expect(steps.steps == ["B", "A"])
    } else {
      #expect(Set(steps.steps) == ["A", "B"])
    }
  }

  @Test func `tasks in step run every round, each on a thread of its own`() async {
    let steps = Transcript()
    await inTasks(3, rounds: 4) { task, round in steps.say("\(task) in \(round)") }
    #expect(steps.steps.count == 12)
    #expect(Set(steps.steps).count == 12)
    let rounds = steps.steps.map { $0.split(separator: " ").last! }
    #expect(rounds == rounds.sorted())
  }
}
