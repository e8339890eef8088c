import Foundation
import Testing

@testable import DeadlockDetection

@Suite(.timeLimit(.minutes(30))) struct TaskTests {
  /// A task that others come to know later.
  private final class Late: Sendable {
    private let kept = Guarded<WatchedTask<Void, Never>?>(nil)
    private let (stream, continuation) = AsyncStream<Void>.makeStream()

    func set(_ task: WatchedTask<Void, Never>) {
      kept { $0 = task }
      continuation.finish()
    }

    var task: WatchedTask<Void, Never> {
      get async {
        for await _ in stream {}
        return kept { $0! }
      }
    }
  }

  @Test func `tasks that await each other`() async throws {
    let findings = Findings()
    let detector = findings.detector
    let late = Late()
    let errors = Guarded<[DeadlockError]>([])
    let a = WatchedTask("a", detector: detector) {
      do { try await late.task.valueOrThrow() } catch {
        errors { $0.append(error as! DeadlockError) }
      }
    }
    let b = WatchedTask("b", detector: detector) {
      do { try await a.valueOrThrow() } catch { errors { $0.append(error as! DeadlockError) } }
    }
    late.set(b)
    await a.value()
    await b.value()
    let finding = try #require(errors { $0.first?.finding })
    #expect(errors(\.count) == 1)
    #expect(finding.isConfirmed)
    #expect(Set(finding.names) == ["a", "b"])
    #expect(finding.members.map(\.participant.kind) == [.task, .task])
    #expect(findings.all.count == 1)
  }

  @Test func `a task that awaits itself, and one that awaits others`() async {
    let findings = Findings()
    let late = Late()
    let task = WatchedTask("t", detector: findings.detector) {
      do { try await late.task.valueOrThrow() } catch {}
    }
    late.set(task)
    await task.value()
    #expect(findings.only?.names == ["t"])

    let cured = Findings()
    let detector = cured.detector
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          let first = WatchedTask(detector: detector) { number }
          let second = WatchedTask(detector: detector) { await first.value() + 1 }
          return await second.value() + first.value()
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 400)
    #expect(cured.all.isEmpty, "\(cured.all)")
    #expect(detector.waitCount == 0)
  }

  @Test
  func `a task and a thread: the task awaits what a thread will resume that waits for its lock`()
    async
  {
    let findings = Findings()
    let detector = findings.detector
    let lock = WatchedLock("l", detector: detector)
    let error = Guarded<DeadlockError?>(nil)
    await WatchedTask("t", detector: detector) {
      takeAcrossAwait(lock)
      await withWatchedContinuation("c", detector: detector) {
        (continuation: WatchedContinuation<Void, Never>) in
        _ = Worker("resumer") {
          continuation.own()
          detector.untilWaiting(2)
          error { $0 = deadlock { try lock.lockOrThrow() } }
          continuation.resume()
        }
      }
      giveBack(lock)
    }.value()
    #expect(error { $0 }?.finding.names == ["resumer", "t"])
    #expect(error { $0 }?.finding.isConfirmed == true)
    #expect(findings.all.map(\.kind) == [.lockHeldAcrossAwait, .deadlock])
    #expect(findings.all[0].members[0].holds?.resource == "lock “l”")
  }

  @Test func `a lock released on another thread than it was taken on`() async {
    let findings = Findings()
    let lock = WatchedLock("l", detector: findings.detector)
    let first = OneThread()
    let second = OneThread()
    await Task(name: "t") {
      await withTaskExecutorPreference(first) { takeAcrossAwait(lock) }
      await withTaskExecutorPreference(second) { giveBack(lock) }
    }.value
    #expect(findings.only?.kind == .lockHeldAcrossAwait)
    #expect(findings.only?.names == ["t"])
    // The first thread holds nothing more, as far as the lock order goes.
    let other = WatchedLock("o", detector: findings.detector)
    await Task(executorPreference: first) { other.withLock {} }.value
    await onThread { other.withLock { lock.withLock {} } }
    #expect(findings.all.count == 1)
    #expect(findings.detector.orders.kept == 1)
  }

  @Test func `a continuation that nobody can resume any more`() async {
    for isDroppedAtOnce in [true, false] {
      let findings = Findings()
      let detector = findings.detector
      let task = Task(name: "t") {
        try await withWatchedThrowingContinuation("c", detector: detector) {
          (continuation: WatchedContinuation<Void, any Error>) in
          if isDroppedAtOnce { return }
          _ = Worker("dropper") {
            detector.untilWaiting(1)
            withExtendedLifetime(continuation) {}
          }
        }
      }
      await #expect(throws: DeadlockError.self) { try await task.value }
      #expect(findings.only?.kind == .endlessWait)
      #expect(findings.only?.names == ["t"])
      #expect(findings.only?.members.map(\.resource) == ["continuation “c”"])
      #expect(detector.waitCount == 0)
    }
  }

  @Test func `continuations that are resumed, at once or later, are no alarm`() async {
    let findings = Findings()
    let detector = findings.detector
    for _ in 0..<100 {
      let now = await withWatchedContinuation(detector: detector) { $0.resume(returning: 1) }
      let later = await withWatchedContinuation(detector: detector) {
        (continuation: WatchedContinuation<Int, Never>) in
        DispatchQueue.global().async { continuation.resume(returning: 2) }
      }
      #expect(now + later == 3)
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
    #expect(detector.waitCount == 0)
  }

  @Test func `a blocking wait on the cooperative pool, once for each place`() async {
    let findings = Findings()
    let detector = findings.detector
    let semaphore = WatchedSemaphore("s", value: 0, detector: detector)
    let tasks = (0..<2).map { number in
      Task.detached(name: "t") { block(semaphore) }
    }
    await onThread {
      detector.untilWaiting(1)
      for _ in tasks { semaphore.signal() }
    }
    for task in tasks { await task.value }
    #expect(findings.only?.kind == .blockedPool)
    #expect(findings.only?.names == ["t"])

    // A unit that is there, a short wait for a lock, and a thread of one's own are no alarm.
    let cured = Findings()
    let free = WatchedSemaphore("s", value: 1, detector: cured.detector)
    let lock = WatchedLock(detector: cured.detector)
    await Task.detached {
      block(free)
      lock.withLock {}
    }.value
    await onThread {
      let waiter = Worker("w") { free.wait() }
      cured.detector.untilWaiting(1)
      free.signal()
      waiter.join()
      free.signal()
    }
    #expect(cured.all.isEmpty, "\(cured.all)")
  }

  @Test func `a cancellation handler that wants the lock of who cancels`() async {
    let findings = Findings()
    let lock = WatchedLock("l", detector: findings.detector)
    let error = Guarded<DeadlockError?>(nil)
    let task = Task {
      await withTaskCancellationHandler {
        for await _ in AsyncStream<Void>.makeStream().stream {}
      } onCancel: {
        error { $0 = deadlock { try lock.withLockOrThrow {} } }
      }
    }
    await onThread("canceller") {
      // Whenever it comes: a handler of a cancelled task runs at once.
      lock.withLock { task.cancel() }
    }
    await task.value
    // On the canceller's thread it is its own lock; on the task's, the lock is free soon.
    #expect(findings.all.allSatisfy { $0.names == ["canceller"] })
    #expect((error { $0 } == nil) == findings.all.isEmpty)
  }

  @Test func `a recursive lock stays with the thread that a task took it on`() async {
    let findings = Findings()
    let detector = findings.detector
    let lock = WatchedRecursiveLock("r", detector: detector)
    let error = await onThread {
      let isOver = Gate()
      joined {
        // It begins on this thread, and goes on in the pool.
        Task.immediate {
          takeRecursively(lock)
          await Task.yield()
          giveBackRecursively(lock)
          isOver.open()
        }
        isOver.pass()
      }
      #expect(!lock.try())
      return deadlock { try lock.lockOrThrow() }
    }
    #expect(error?.finding.kind == .endlessWait)
    #expect(findings.all.map(\.kind) == [.lockHeldAcrossAwait, .endlessWait])
  }
}

// Swift refuses to call what locks or waits from async code, and rightly.
private func takeAcrossAwait(_ lock: WatchedLock) { lock.lock() }
private func giveBack(_ lock: WatchedLock) { lock.unlock() }
private func takeRecursively(_ lock: WatchedRecursiveLock) { lock.lock() }
private func giveBackRecursively(_ lock: WatchedRecursiveLock) { lock.unlock() }
private func block(_ semaphore: WatchedSemaphore) { semaphore.wait() }

/// Runs tasks on a thread of its own, as long as it lives and a bit longer.
private final class OneThread: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])
  private let arrived = DispatchSemaphore(value: 0)

  init() {
    let thread = Thread { [jobs, arrived, unowned self] in
      let executor = asUnownedTaskExecutor()
      while true {
        arrived.wait()
        guard let job = jobs({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        job.runSynchronously(on: executor)
      }
    }
    thread.start()
  }

  deinit { arrived.signal() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs { $0.append(job) }
    arrived.signal()
  }
}
