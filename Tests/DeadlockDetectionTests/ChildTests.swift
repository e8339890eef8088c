import Foundation
import Testing

@testable import DeadlockDetection

/// What traps or hangs on purpose, each in a process of its own.
@Suite(.timeLimit(.minutes(30))) struct ChildTests {
  @Test func `sync on one's own queue is reported before Dispatch ends the process`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let queue = WatchedQueue("photos")
      queue.sync(line: 1) { queue.sync(line: 2) {} }
    }
    let report = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(report.contains("deadlock, confirmed\n"))
    #expect(report.contains("has queue “photos” (taken at ChildTests.swift:1) and waits for"))
  }

  @Test func `main from main is reported before Dispatch ends the process`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      WatchedQueue.main.sync {}
    }
    let report = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(report.contains("deadlock, confirmed\n"))
    #expect(report.contains("waits for queue “main”"))
  }

  @Test func `a handler can have the process trap`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let detector = DeadlockDetector { _ in .trap }
      let lock = WatchedLock("l", detector: detector)
      lock.withLock { lock.withLock {} }
    }
    let report = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(report.contains("Fatal error: deadlock, confirmed"))
  }

  @Test func `who goes on waits after the report`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let findings = Findings()
      let locks = ["a", "b"].map { WatchedLock($0, detector: findings.detector) }
      let gates = [Gate(), Gate()]
      for number in 0..<2 {
        _ = Worker("w") {
          locks[number].lock()
          gates[number].open()
          for gate in gates { gate.pass() }
          locks[1 - number].lock()
          exit(4)
        }
      }
      await onThread {
        while findings.all.isEmpty { sched_yield() }
        findings.detector.untilWaiting(2)
        exit(3)
      }
    }
  }

  @Test func `a thread that ends with a lock that is waited for`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let detector = DeadlockDetector { finding in
        exit(finding.kind == .endlessWait && finding.names == ["waiter"] ? 3 : 4)
      }
      let lock = WatchedLock("l", detector: detector)
      await onThread {
        joined {
          lock.lock()
          _ = Worker("waiter") { lock.lock() }
          detector.untilWaiting(1)
        }
        while true { sched_yield() }
      }
    }
  }
}
