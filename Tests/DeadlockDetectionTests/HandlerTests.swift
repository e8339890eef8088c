import Foundation
import Testing

@testable import DeadlockDetection

/// Handlers, and overrides, that use what is watched.
@Suite(.timeLimit(.minutes(30))) struct HandlerTests {
  /// A detector whose handler runs a body, and how often it was called.
  private final class Handled: Sendable {
    let calls = Guarded(0)
    let detector = DeadlockDetector(patience: .zero)

    func handle(_ body: @escaping @Sendable () -> Void) {
      detector.handle { [calls] _ in
        calls { $0 += 1 }
        body()
        return .goOn
      }
    }
  }

  @Test func `what a handler does is not reported to it`() async {
    let handled = Handled()
    let locks = ["a", "b", "x", "y"].map {
      WatchedLock($0, class: $0, detector: handled.detector)
    }
    handled.handle { locks[3].withLock { locks[2].withLock {} } }
    await onThread {
      Worker("1") {
        locks[0].withLock { locks[1].withLock {} }
        locks[2].withLock { locks[3].withLock {} }
      }.join()
      Worker("2") { locks[1].withLock { locks[0].withLock {} } }.join()
    }
    #expect(handled.calls { $0 } == 1)
  }

  @Test func `a wait stays drawn while a handler waits`() async {
    let handled = Handled()
    let detector = handled.detector
    let queue = WatchedQueue("log", detector: detector)
    let waits = Guarded<[Int]>([])
    handled.handle {
      queue.sync {}
      waits { $0.append(detector.waitCount) }
    }
    await onThread {
      let semaphore = WatchedSemaphore("s", value: 0, detector: detector)
      let promise = semaphore.promise()
      let waiter = Worker("w") {
        promise.own()
        semaphore.wait()
      }
      while waits({ $0.isEmpty }) { sched_yield() }
      promise.keep()
      waiter.join()
    }
    #expect(waits { $0 } == [1])
    #expect(detector.waitCount == 0)
  }

  @Test func `a handler that is replaced goes without the detector's lock`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      // Were it under the lock, this would hang.
      alarm(60)
      let detector = DeadlockDetector()
      joined {
        let (a, b) = (WatchedLock("a", detector: detector), WatchedLock("b", detector: detector))
        a.withLock { b.withLock {} }
        detector.handle { _ in
          a.withLock {}
          return .goOn
        }
      }
      detector.handle { _ in .goOn }
      exit(3)
    }
  }

  @Test func `an operation's overrides are not called under the detector's lock`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      final class Download: WatchedOperation, @unchecked Sendable {
        // Sendable: it adds nothing that is kept.
        override var isExecuting: Bool { finish.detector.waitCount < 0 }
      }
      alarm(60)
      let detector = DeadlockDetector()
      let download = Download("download", detector: detector)
      download.addDependency(WatchedOperation("other", detector: detector))
      exit(detector.waitCount == 1 ? 3 : 4)
    }
  }

  @Test func `what a handler takes is not held by who waits beneath it`() async {
    let findings = Guarded<[Finding]>([])
    let detector = DeadlockDetector(patience: .zero)
    let log = WatchedLock("log", detector: detector)
    let (isLogging, mayGoOn) = (Gate(), Gate())
    detector.handle { finding in
      findings { $0.append(finding) }
      log.withLock {
        isLogging.open()
        mayGoOn.pass()
      }
      return .goOn
    }
    await onThread {
      let group = WatchedGroup("g", detector: detector)
      let (own, other) = (group.promise(), group.promise())
      let waiter = Worker("waiter") {
        own.own()
        group.wait()
      }
      let helper = Worker("helper") {
        other.own()
        isLogging.pass()
        log.withLock {}
        other.keep()
      }
      isLogging.pass()
      detector.untilWaiting(2)
      mayGoOn.open()
      helper.join()
      own.keep()
      waiter.join()
    }
    #expect(findings { $0.map(\.names) } == [["waiter"]])
  }

  @Test func `what is thrown, or cannot last, does not trap`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let detector = DeadlockDetector(patience: .zero) { _ in .trap }
      let error = await onThread {
        let lock = WatchedLock("l", detector: detector)
        return lock.withLock { deadlock { try lock.lockOrThrow() } }
      }
      let semaphore = WatchedSemaphore("s", value: 0, detector: detector)
      _ = Worker("signals") {
        detector.untilWaiting(1)
        semaphore.signal()
      }
      waitOnPool(for: semaphore)
      exit(error == nil ? 4 : 3)
    }
  }
}

private func waitOnPool(for semaphore: WatchedSemaphore) { semaphore.wait() }
