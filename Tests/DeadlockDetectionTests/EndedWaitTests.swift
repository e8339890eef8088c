import Foundation
import Testing

@testable import DeadlockDetection

/// Waits that are over before who waited goes on, and what is held no longer.
@Suite(.timeLimit(.minutes(30))) struct EndedWaitTests {
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

  @Test(.disabled(if: isSanitized, "signals come late under the sanitizer"))
  func `who was given a unit does not wait for the next that is promised`() async {
    let findings = Findings()
    let detector = findings.detector
    let error = await onThread {
      let lock = WatchedLock("l", detector: detector)
      let units = WatchedSemaphore("u", value: 0, discipline: .promised, detector: detector)
      let promises = [units.promise(), units.promise()]
      for promise in promises { promise.own() }
      let waiter = Worker("w") { lock.withLock { units.wait() } }
      detector.untilWaiting(1)
      let thaw = waiter.freeze()
      promises[0].keep()
      let helper = Worker("helper") {
        while detector.waitCount < 2, findings.all.isEmpty { sched_yield() }
        thaw()
      }
      let error = deadlock { try lock.lockOrThrow() }
      if error == nil { lock.unlock() }
      helper.join()
      waiter.join()
      promises[1].keep()
      return error
    }
    #expect(error == nil)
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `who takes the last unit that was promised leaves the other without hope`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let units = WatchedSemaphore("u", value: 0, discipline: .promised, detector: detector)
      let promise = units.promise()
      let waiters = ["a", "b"].map { name in Worker(name) { units.wait() } }
      detector.untilWaiting(2)
      promise.keep()
      while findings.all.isEmpty { sched_yield() }
      units.signal()
      for waiter in waiters { waiter.join() }
    }
    #expect(findings.only?.kind == .endlessWait)
    #expect(findings.only?.names.count == 1)
  }

  @Test func `who is told, before it blocks, that it waits for itself may end the wait`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      // Were it not over, this would hang.
      alarm(60)
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
      exit(detector.waitCount == 0 ? 3 : 4)
    }
  }

  @Test func `a continuation whose wait was refused is resumed once`() async {
    // On the main actor, whose jobs take turns: who resumes it finds the task suspended, and what it resumes
    // goes on before it does.
    await #expect(processExitsWith: .exitCode(3)) { @MainActor in
      let detector = DeadlockDetector { _ in .goOn }
      let lock = WatchedLock("l", detector: detector)
      let refused = Guarded<WatchedContinuation<Int, any Error>?>(nil)
      takeForTask(lock)
      do {
        _ = try await withWatchedThrowingContinuation("first", detector: detector) { continuation in
          refused { $0 = continuation }
          _ = Worker("owner") {
            continuation.own()
            // Held by the task, which therefore must not wait for the owner.
            lock.withLock {}
          }
          detector.untilWaiting(1)
        }
        exit(4)
      } catch { giveForTask(lock) }
      let value = try await withWatchedThrowingContinuation("next", detector: detector) { next in
        Task { @MainActor in
          // Too late: not to be taken for what the task waits for now.
          refused { $0! }.resume(returning: 1)
          if !detector.waiting.contains(where: { $0.resource == "continuation “next”" }) { exit(5) }
          await Task.yield()
          next.resume(returning: 2)
        }
      }
      exit(value == 2 ? 3 : 4)
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
