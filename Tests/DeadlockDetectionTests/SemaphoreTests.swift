import Foundation
import Testing

@testable import DeadlockDetection

@Suite(.timeLimit(.minutes(30))) struct SemaphoreTests {
  @Test func `who takes and returns units waits for who does: suspected, or certain if declared`()
    async
  {
    for discipline in [WatchedSemaphore.Discipline.open, .returned] {
      let findings = Findings()
      let detector = findings.detector
      await onThread("right") {
        let (a, b) = (
          WatchedSemaphore("a", value: 1, discipline: discipline, detector: detector),
          WatchedSemaphore("b", value: 1, discipline: discipline, detector: detector)
        )
        let gate = Gate()
        b.wait()
        let left = Worker("left") {
          a.wait()
          gate.open()
          b.wait()
          b.signal()
          a.signal()
        }
        gate.pass()
        detector.untilWaiting(1)
        if discipline == .returned {
          #expect(throws: DeadlockError.self) { try a.waitOrThrow() }
          b.signal()
          left.join()
        } else {
          // It is suspected, so it waits; someone else has to end it.
          let helper = Worker("helper") {
            detector.untilWaiting(2)
            b.signal()
          }
          a.wait()
          a.signal()
          helper.join()
          left.join()
        }
      }
      #expect(findings.only?.names == ["right", "left"])
      if discipline == .returned {
        #expect(findings.only?.certainty == .confirmed)
      } else {
        #expect(findings.only?.isSuspected == true)
        #expect(findings.only?.description.contains("because: semaphore “a” has no owner") == true)
      }
    }
  }

  @Test func `a semaphore signalled by who waits behind the waiter`() async {
    for (discipline, isCertain) in [(WatchedSemaphore.Discipline.promised, true), (.open, false)] {
      let findings = Findings()
      let detector = findings.detector
      await onThread {
        let queue = WatchedQueue("q", detector: detector)
        let semaphore = WatchedSemaphore(
          "s", value: 0, discipline: discipline, detector: detector)
        let promise = semaphore.promise()
        queue.sync {
          queue.async(keeping: [promise], name: "signaller") { promise.keep() }
          if isCertain {
            #expect(throws: DeadlockError.self) { try semaphore.waitOrThrow() }
          } else {
            let helper = Worker("helper") {
              detector.untilWaiting(2)
              semaphore.signal()
            }
            semaphore.wait()
            helper.join()
          }
        }
        queue.sync {}
      }
      #expect(findings.only?.members.map(\.resource) == ["semaphore “s”", "queue “q”"])
      #expect(findings.only?.isConfirmed == isCertain)
    }
  }

  @Test func `whoever has promised and waits itself, and a promise that nobody keeps`() async {
    let findings = Findings()
    let errors = await onThread("waiter") { () -> [DeadlockError?] in
      let semaphore = WatchedSemaphore(
        "s", value: 0, discipline: .promised, detector: findings.detector)
      var promise: Promise? = semaphore.promise()
      promise?.own()
      let own = deadlock { try semaphore.waitOrThrow() }
      promise = nil
      return [own, deadlock { try semaphore.waitOrThrow() }]
    }
    let kinds = errors.map { $0?.finding.kind }
    #expect(kinds == [.deadlock, .endlessWait])
    #expect(findings.all.map(\.names) == [["waiter"], ["waiter"]])
    #expect(findings.all.map(\.isConfirmed) == [true, true])
  }

  @Test func `a promise dropped while it is waited for`() async {
    let findings = Findings()
    let semaphore = WatchedSemaphore(
      "s", value: 0, discipline: .promised, detector: findings.detector)
    let kept = Guarded<[Promise]>([semaphore.promise(), semaphore.promise()])
    let waiter = Worker("waiter") { semaphore.wait() }
    await onThread {
      findings.detector.untilWaiting(1)
      let first = kept { $0.removeLast() }
      withExtendedLifetime(first) {}
    }
    #expect(findings.all.isEmpty)
    await onThread {
      let last = kept { $0.removeLast() }
      withExtendedLifetime(last) {}
    }
    #expect(findings.only?.kind == .endlessWait)
    #expect(findings.only?.names == ["waiter"])
    await onThread {
      semaphore.signal()
      waiter.join()
    }
  }

  @Test func `what is suspected is told once it has stood for the patience, and not before`() async
  {
    for patience in [Duration.milliseconds(1), .seconds(600)] {
      let findings = Findings(patience: patience)
      let detector = findings.detector
      await onThread("t") {
        let semaphore = WatchedSemaphore("s", value: 1, detector: detector)
        // Used as a lock, so far.
        semaphore.wait()
        semaphore.signal()
        semaphore.wait()
        let helper = Worker("helper") {
          detector.untilWaiting(1)
          if patience < .seconds(1) { while findings.all.isEmpty { sched_yield() } }
          semaphore.signal()
        }
        semaphore.wait()
        helper.join()
        semaphore.signal()
      }
      #expect(findings.all.map(\.names) == (patience < .seconds(1) ? [["t"]] : []))
      #expect(findings.all.map(\.isSuspected) == (patience < .seconds(1) ? [true] : []))
    }
  }

  @Test func `three who wait in a line for returned units are no alarm`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let (a, b) = (
        WatchedSemaphore(value: 1, discipline: .returned, detector: detector),
        WatchedSemaphore(value: 1, discipline: .returned, detector: detector)
      )
      let gate = Gate()
      b.wait()
      let middle = Worker("middle") {
        a.wait()
        gate.open()
        b.wait()
        b.signal()
        a.signal()
      }
      gate.pass()
      detector.untilWaiting(1)
      let last = Worker("last") {
        a.wait()
        a.signal()
      }
      detector.untilWaiting(2)
      b.signal()
      middle.join()
      last.join()
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `units handed over to others are no alarm`() async {
    let findings = Findings(patience: .seconds(600))
    await onThread {
      let detector = findings.detector
      let semaphore = WatchedSemaphore(value: 1, detector: detector)
      let queue = WatchedQueue("q", isConcurrent: true, detector: detector)
      for _ in 0..<200 {
        semaphore.wait()
        queue.async { semaphore.signal() }
      }
      semaphore.wait()
      let event = WatchedSemaphore(value: 0, detector: detector)
      for _ in 0..<200 {
        queue.async { event.signal() }
        event.wait()
      }
      semaphore.signal()
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `a semaphore declared as a lock is a gate, and has its place in the order`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let gate = WatchedSemaphore(
        "gate", value: 1, discipline: .returned, detector: detector)
      let (a, b) = (
        WatchedLock("a", class: "a", detector: detector),
        WatchedLock("b", class: "b", detector: detector)
      )
      for locks in [(a, b), (b, a)] {
        Worker("w") {
          gate.wait()
          locks.0.withLock { locks.1.withLock {} }
          gate.signal()
        }.join()
      }
      #expect(findings.all.isEmpty)
      Worker("w") {
        a.withLock {
          gate.wait()
          gate.signal()
        }
      }.join()
    }
    #expect(findings.only?.kind == .lockOrderInversion)
    #expect(findings.only?.members.map(\.resource) == ["semaphore “gate”", "lock “a”"])
  }

  @Test func `a producer that takes all units before a consumer has begun is no alarm`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let free = WatchedSemaphore("free", value: 2, detector: detector)
      let items = WatchedSemaphore("items", value: 0, detector: detector)
      let producers = (0..<2).map { _ in
        Worker("producer") {
          for _ in 0..<4 {
            free.wait()
            items.signal()
          }
        }
      }
      detector.untilWaiting(2)
      for _ in 0..<8 {
        items.wait()
        free.signal()
      }
      for producer in producers { producer.join() }
      free.signal()
      free.signal()
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `the last promise is dropped while an open semaphore is waited for`() async {
    for patience in [Duration.zero, .milliseconds(1)] {
      let findings = Findings(patience: patience)
      let semaphore = WatchedSemaphore("s", value: 0, detector: findings.detector)
      let promise = Guarded<Promise?>(semaphore.promise())
      await onThread {
        let waiter = Worker("waiter") { semaphore.wait() }
        findings.detector.untilWaiting(1)
        withExtendedLifetime(promise { $0.take() }) {}
        while findings.all.isEmpty { sched_yield() }
        semaphore.signal()
        waiter.join()
      }
      #expect(findings.only?.kind == .endlessWait)
      #expect(findings.only?.isSuspected == true)
    }
  }
}
