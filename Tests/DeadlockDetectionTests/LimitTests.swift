import Foundation
import Testing

@testable import DeadlockDetection

/// The limits that the manual states and no other test shows.
@Suite(.timeLimit(.minutes(30))) struct LimitTests {
  @Test func `a cycle through what is not watched is not seen`() async {
    let findings = Findings()
    let lock = WatchedLock("l", detector: findings.detector)
    let real = DispatchSemaphore(value: 0)
    await onThread {
      let gate = Gate()
      let holder = Worker("holder") {
        lock.lock()
        gate.open()
        real.wait()
        lock.unlock()
      }
      gate.pass()
      // It would signal once it has the lock.
      let signaller = Worker("signaller") { lock.withLock { _ = real.signal() } }
      findings.detector.untilWaiting(1)
      #expect(findings.detector.waiting.map(\.participant.name) == ["signaller"])
      real.signal()
      holder.join()
      signaller.join()
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `a cycle that a limit in time will open is not told`() async {
    let findings = Findings()
    let (a, b) = (
      WatchedLock("a", detector: findings.detector), WatchedLock("b", detector: findings.detector)
    )
    await onThread {
      let gates = [Gate(), Gate()]
      let patient = Worker("patient") {
        a.lock()
        gates[0].open()
        gates[1].pass()
        b.withLock {}
        a.unlock()
      }
      Worker("impatient") {
        b.lock()
        gates[1].open()
        gates[0].pass()
        findings.detector.untilWaiting(1)
        #expect(!a.lock(before: .now))
        b.unlock()
      }.join()
      patient.join()
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `a cycle of more than eight orders is not searched for`() async {
    let counts = await onThread {
      (8...9).map { count in
        let findings = Findings()
        let locks = (0..<count).map { WatchedLock("\($0)", detector: findings.detector) }
        for number in 0..<count {
          Worker("\(number)") {
            locks[number].withLock { locks[(number + 1) % count].withLock {} }
          }.join()
        }
        return findings.all.map(\.members.count)
      }
    }
    #expect(counts == [[8], []])
  }
  @Test func `what a task begins on the spot and waits for its maker's lock is not found`() async {
    let findings = Findings()
    let detector = findings.detector
    let lock = WatchedLock("l", detector: detector)
    // What a lock of this kind allows, and nobody should do.
    let helper = Worker("helper") {
      detector.untilWaiting(1)
      lock.unlock()
    }
    await Task.detached { nest(lock) }.value
    await onThread { helper.join() }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }
}

private func nest(_ lock: WatchedLock) {
  lock.lock()
  Task.immediate { take(lock) }
}
private func take(_ lock: WatchedLock) { lock.withLock {} }
