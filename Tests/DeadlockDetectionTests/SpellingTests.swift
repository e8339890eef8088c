import Foundation
import Testing

@testable import DeadlockDetection

/// What is spelled as the real thing, so that a file of aliases puts a module under watch.
@Suite(.timeLimit(.minutes(30))) struct SpellingTests {
  @Test func `a mutex that its holder takes again is found before it blocks`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let detector = DeadlockDetector { finding in
        exit(finding.isConfirmed && finding.members.count == 1 ? 3 : 4)
      }
      let mutex = WatchedMutex(0, detector: detector)
      mutex.withLock { _ in mutex.withLock { $0 += 1 } }
    }
  }

  @Test func `a mutex guards its value, and its orders are noted`() async {
    let findings = Findings()
    let detector = findings.detector
    let first = Box(WatchedMutex(0, name: "first", detector: detector))
    let second = Box(WatchedMutex(0, name: "second", detector: detector))
    joined { first.mutex.withLock { value in value = second.mutex.withLock { $0 + 1 } } }
    joined { second.mutex.withLock { value in value = first.mutex.withLock { $0 + 1 } } }
    #expect(second.mutex.withLock { $0 } == 2)
    #expect(first.mutex.withLockIfAvailable { $0 } == 1)
    #expect(findings.only?.kind == .lockOrderInversion)
  }

  @Test func `an item that waits behind who waits for it`() async {
    let findings = Findings()
    let queue = WatchedQueue(label: "photos", detector: findings.detector)
    let item = WatchedWorkItem("item", detector: findings.detector) {}
    let error = await onThread {
      let error = queue.sync {
        queue.async(execute: item)
        return deadlock { try item.waitOrThrow() }
      }
      item.wait()
      return error
    }
    #expect(error?.finding.members.count == 2)
    #expect(findings.all.count == 1)
  }

  @Test func `an item that runs is waited for, whoever runs it`() async {
    let findings = Findings()
    let queue = WatchedQueue(label: "photos", attributes: .concurrent, detector: findings.detector)
    let items = (0..<2).map { _ in WatchedWorkItem(detector: findings.detector) {} }
    await onThread {
      items[0].perform()
      queue.async(execute: items[1])
      for item in items { item.wait() }
    }
    #expect(findings.all.isEmpty)
  }

  @Test func `who resumes under the lock that the cancellation handler takes`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let detector = DeadlockDetector { finding in
        exit(finding.isConfirmed && finding.members.count == 2 ? 3 : 4)
      }
      let lock = WatchedLock("mailbox", detector: detector)
      let kept = Guarded<WatchedContinuation<Void, Never>?>(nil)
      let waiter = Task {
        await withWatchedCancellationHandler(detector: detector) {
          await withWatchedContinuation(detector: detector) { continuation in
            kept { $0 = continuation }
          }
        } onCancel: {
          lock.withLock {}
        }
      }
      await onThread {
        while kept({ $0 }) == nil || detector.waitCount < 1 { sched_yield() }
        lock.lock()
        _ = Worker("B") { waiter.cancel() }
        detector.untilWaiting(2)
        kept { $0 }!.resume()
      }
    }
  }

  @Test func `those who wait for what has no holder are listed`() async {
    let findings = Findings()
    let semaphore = WatchedSemaphore("shown", value: 0, detector: findings.detector)
    let worker = Worker("w") { semaphore.wait() }
    findings.detector.untilWaiting(1)
    #expect(findings.detector.waiting.map(\.resource) == ["semaphore “shown”"])
    semaphore.signal()
    worker.join()
    #expect(findings.detector.waiting.isEmpty)
    #expect(findings.all.isEmpty)
  }

  @Test func `the names of queues and operations are those of the real ones`() async {
    await onThread {
      let ran = DispatchSemaphore(value: 0)
      WatchedQueue.global().async { ran.signal() }
      ran.wait()
      #expect(WatchedQueue(label: "photos").label == "photos")
      let queue = WatchedOperationQueue()
      queue.maxConcurrentOperationCount = 1
      let operations = (0..<3).map { _ in WatchedOperation { _ = ran.signal() } }
      operations[0].addDependency(operations[1])
      queue.addOperations(operations, waitUntilFinished: true)
      #expect(operations.allSatisfy { $0.isFinished })
      #expect(queue.maxConcurrentOperationCount == 1)
    }
  }

  @Test func `a task's value is a property, too`() async throws {
    let tasks = (1...2).map { number in WatchedTask { number } }
    let sum = WatchedTask { await tasks[0].value + tasks[1].value }
    #expect(await sum.value == 3)
    let failing = WatchedTask { () async throws -> Int in throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await failing.value }
  }
}

/// What two threads can both have: a mutex cannot be copied.
private final class Box: Sendable {
  let mutex: WatchedMutex<Int>
  init(_ mutex: consuming WatchedMutex<Int>) { self.mutex = mutex }
}
