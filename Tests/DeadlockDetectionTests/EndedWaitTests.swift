import Foundation
import Testing

@testable import DeadlockDetection

/// Waits that are over before who waited goes on, and what is held no longer.
@Suite(.timeLimit(.minutes(5))) struct EndedWaitTests {
  @Test(.disabled(if: isSanitized, "signals come late under the sanitizer"))
  func `who has waited for a group does not wait for who enters next`() async {
    let findings = Findings()
    let detector = findings.detector
    let waits = await onThread {
      let group = WatchedGroup("g", detector: detector)
      let promise = group.promise()
      let waiter = Worker("w") { group.wait() }
      detector.untilWaiting(1)
      let thaw = waiter.freeze()
      promise.keep()
      let next = group.promise()
      let waits = detector.waitCount
      thaw()
      waiter.join()
      next.keep()
      return waits
    }
    #expect(waits == 0)
    #expect(findings.all.isEmpty, "\(findings.all.prefix(1))")
  }

  @Test func `who is told, before it blocks, that it waits for itself may end the wait`() async {
    let detector = DeadlockDetector()
    let group = WatchedGroup("g", detector: detector)
    let promises = Guarded<[Promise]>([group.promise()])
    detector.handle { _ in
      promises { $0.removeFirst() }.keep()
      // The wait is over, whoever enters now.
      promises { $0.append(group.promise()) }
      return .goOn
    }
    await onThread {
      promises { $0[0] }.own()
      group.wait()
      promises { $0[0] }.keep()
    }
    #expect(detector.waitCount == 0)
  }

  @Test func `a continuation whose wait was refused is resumed once`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let detector = DeadlockDetector { _ in .goOn }
      let lock = WatchedLock("l", detector: detector)
      let kept = Guarded<WatchedContinuation<Int, any Error>?>(nil)
      var values: [Int] = []
      for round in 0..<2 {
        if round == 0 { takeForTask(lock) }
        do {
          values.append(
            try await withWatchedThrowingContinuation("c", detector: detector) { continuation in
              if round == 1 { return kept { $0 = continuation } }
              _ = Worker("resumer") {
                continuation.own()
                // Held by the task, which therefore must not wait for the resumer.
                lock.withLock {}
                while kept({ $0 == nil }) { sched_yield() }
                detector.untilWaiting(1)
                // Too late: not to be taken for what the task waits for now.
                continuation.resume(returning: 1)
                kept { $0! }.resume(returning: 2)
              }
              detector.untilWaiting(1)
            })
        } catch { giveForTask(lock) }
      }
      exit(values == [2] ? 3 : 4)
    }
  }

  @Test func `a lock taken here, released elsewhere, and taken there is held by no one at last`()
    async
  {
    let findings = Findings()
    let isLeft = Guarded<Bool?>(nil)
    await onThread {
      let lock = WatchedLock("l", detector: findings.detector)
      let gates = (0..<4).map { _ in Gate() }
      let first = Worker("first") {
        lock.lock()
        gates[0].open()
        gates[2].pass()
        lock.unlock()
        gates[3].open()
      }
      gates[0].pass()
      lock.unlock()
      let last = Worker("last") {
        lock.lock()
        gates[2].open()
        gates[3].pass()
        // What is left in here would be looked at after the lock is freed.
        isLeft { $0 = !Strays.held(by: Strand.current.record).isEmpty }
      }
      first.join()
      last.join()
    }
    #expect(isLeft { $0 } == false)
  }
}

// Swift refuses to call what locks from async code, and rightly.
private func takeForTask(_ lock: WatchedLock) { lock.lock() }
private func giveForTask(_ lock: WatchedLock) { lock.unlock() }
