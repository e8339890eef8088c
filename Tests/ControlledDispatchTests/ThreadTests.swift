import ControlledDispatch
import Interleaving
import Testing

@Suite(.timeLimit(.minutes(30))) struct ThreadTests {
  @Test func `threads run beside each other`() async {
    let exploration = await explore(reduced) {
      let counter = Shared(0)
      let done = DispatchSemaphore(value: 0)
      for _ in 0..<2 {
        Thread.detachNewThread {
          counter.value += 1
          done.signal()
        }
      }
      done.wait()
      done.wait()
      return counter.value
    }
    #expect(Set(exploration.outcomes.keys) == [1, 2])
    #expect(!exploration.failures.isEmpty && exploration.failures.allSatisfy { $0.kind == .race })
    #expect(exploration.isComplete, "\(exploration.completeness)")
  }

  @Test func `what a thread is before, while and after it runs`() async {
    let exploration = await explore(reduced) {
      let done = DispatchSemaphore(value: 0)
      let thread = Thread { done.signal() }
      let before = thread.isExecuting || thread.isFinished
      thread.start()
      done.wait()
      return [before, thread.isExecuting, thread.isFinished]
    }
    #expect(
      Set(exploration.outcomes.keys) == [
        [false, true, false], [false, true, true], [false, false, true],
      ])
    expectClean(exploration)
  }

  private final class Greeter: Thread, @unchecked Sendable {
    // Sendable: it has nothing of its own but constants.
    let done = DispatchSemaphore(value: 0)
    let text = Shared("")
    override func main() {
      text.value = Thread.current === self ? "hello" : "who?"
      done.signal()
    }
  }

  @Test func `a thread's own main, and the current thread`() async {
    let exploration = await explore(reduced) {
      let thread = Greeter()
      thread.start()
      thread.done.wait()
      let isSame = Thread.current === Thread.current && Thread.current !== thread
      return isSame ? thread.text.value : ""
    }
    #expect(Set(exploration.outcomes.keys) == ["hello"])
    expectClean(exploration)
  }

  @Test func `cancelling sets a mark, before the start or after it`() async {
    let exploration = await explore(reduced) {
      let done = DispatchSemaphore(value: 0)
      let saw = Shared(false)
      let thread = Thread {
        saw.value = Thread.current.isCancelled
        done.signal()
      }
      thread.start()
      thread.cancel()
      done.wait()
      return saw.value
    }
    #expect(Set(exploration.outcomes.keys) == [true, false])
    expectClean(exploration)

    let before = await explore(reduced) {
      let thread = Thread {}
      thread.cancel()
      thread.start()
      return [thread.isFinished, thread.isExecuting]
    }
    #expect(Set(before.outcomes.keys) == [[true, false]])
    expectClean(before)
  }

  @Test func `sleeping takes no time, and who sleeps less wakes first`() async {
    let began = ContinuousClock.now
    let exploration = await explore(reduced) {
      let text = Shared("")
      let lock = NSLock()
      let done = DispatchSemaphore(value: 0)
      for (word, seconds) in [("h", 3600.0), ("s", 1)] {
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: seconds)
          lock.withLock { text.value += word }
          done.signal()
        }
      }
      done.wait()
      done.wait()
      return text.value
    }
    // Who has woken is not for that the first at the lock.
    #expect(Set(exploration.outcomes.keys).isSuperset(of: ["sh"]))
    expectClean(exploration)
    #expect(ContinuousClock.now - began < .seconds(600))
  }

  @Test func `exit ends a thread where it is, and what it has locked stays locked`() async throws {
    let exploration = await explore(reduced) {
      let done = DispatchSemaphore(value: 0)
      let reached = Shared(false)
      let thread = Thread {
        done.signal()
        Thread.exit()
        reached.value = true
      }
      thread.start()
      done.wait()
      return reached.value
    }
    #expect(Set(exploration.outcomes.keys) == [false])
    expectClean(exploration)

    let locked = await explore(reduced) {
      let lock = NSLock()
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        lock.lock()
        done.signal()
        Thread.exit()
      }
      done.wait()
      lock.lock()
    }
    #expect(try #require(locked.failures.first).kind == .deadlock)
  }

  @Test func `starting twice ends the process`() async {
    await expectTrap("starts Thread, which has been started already") {
      let thread = Thread {}
      thread.start()
      thread.start()
    }
  }

  @Test func `a thread that has ended is released`() async {
    let exploration = await explore(reduced, time: .passesWhenIdle) {
      weak var thread: Thread?
      do {
        let started = Thread {}
        thread = started
        started.start()
      }
      Thread.sleep(forTimeInterval: 1)
      return thread == nil
    }
    #expect(Set(exploration.outcomes.keys) == [true])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }
}
