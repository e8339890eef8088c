import CInterleaving
import Dispatch
import Foundation
import Interleaving
import Synchronization
import Testing

/// Misuse ends in a failure with advice, not in a hang.
@Suite(.serialized, .timeLimit(.minutes(30))) struct MisuseTests {
  @Test func `a scenario that never ends`() async throws {
    let exploration = await explore(limit: 10, steps: 200) {
      while true { await Task.yield() }
    }
    let failure = try #require(exploration.failures.first)
    #expect(failure.kind == .livelock)
    #expect(failure.message.contains("200 steps"))
    #expect(failure.message.contains("raise `steps`"))
    #expect(exploration.completeness == .stepLimit(200))
  }

  @Test func `a scenario that blocks its thread`() async {
    // In a child: the blocked thread cannot be taken back.
    await #expect(processExitsWith: .success) {
      let exploration = await explore(patience: .milliseconds(300)) {
        DispatchSemaphore(value: 0).wait()
      }
      guard let failure = exploration.failures.first, failure.kind == .blocked,
        failure.message.contains("Await instead"), !exploration.isComplete
      else { exit(1) }
    }
  }

  @Test func `a step that waits for a busy machine is not blocked`() async {
    // In a child, whose threads end with it.
    await #expect(processExitsWith: .success) {
      _ = await explore { 1 }  // what the first exploration prepares is prepared
      for _ in 0..<8 * ProcessInfo.processInfo.activeProcessorCount {
        Thread.detachNewThread { while true {} }
      }
      var longest = Duration.zero
      while longest < .milliseconds(150) {
        let start = ContinuousClock.now
        let exploration = await explore(limit: 1, patience: .milliseconds(100)) {
          let start = processorTime()
          while processorTime() - start < .milliseconds(20) {}
          return 1
        }
        guard exploration.schedules == 1, exploration.failures.isEmpty else { exit(1) }
        longest = max(longest, ContinuousClock.now - start)
      }
    }
  }

  @Test func `a step that waits for a reader of symbols is not blocked`() async {
    // In a child, where nobody else reads.
    await #expect(processExitsWith: .success) {
      let isRead = DispatchSemaphore(value: 0)
      interleaving_begin_reading()
      Thread.detachNewThread {
        // Ten times the patience has to pass, by the watchdog's own clock; it passes without an event.
        Thread.sleep(forTimeInterval: 1)
        for _ in 0..<10 { isRead.signal() }
        interleaving_end_reading()
      }
      let exploration = await explore(limit: 1, patience: .milliseconds(100)) {
        isRead.wait()
        return 1
      }
      guard exploration.schedules == 1, exploration.failures.isEmpty else { exit(1) }
    }
  }

  #if os(Linux)
    @Test(arguments: [
      // Some tenths of a second of processor time, in one process and in many short ones; and none.
      ("i=0; while [ $i -lt 250000 ]; do i=$((i + 1)); done", true),
      ("i=0; while [ $i -lt 300 ]; do sh -c :; i=$((i + 1)); done", true),
      ("sleep 60", false),
    ])
    func `a step that waits for a process is blocked when that one stands still`(
      _ script: String, _ getsOn: Bool
    ) async {
      await #expect(processExitsWith: .success) { [script, getsOn] in
        let groups = Mutex<[pid_t]>([])
        let exploration = await explore(limit: 1, patience: .milliseconds(100)) {
          // A process that has begun another one, and waits for it.
          var words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c")]
          words += [strdup("sh -c '\(script)'; true"), nil]
          var attributes = posix_spawnattr_t()
          posix_spawnattr_init(&attributes)
          posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
          var child: pid_t = 0
          posix_spawn(&child, "/bin/sh", nil, &attributes, words, nil)
          groups.withLock { [child] in $0.append(child) }
          waitpid(child, nil, 0)
        }
        // The scenario is begun a second time once a step of it has waited.
        for group in groups.withLock(\.self) { kill(-group, SIGKILL) }
        let kinds = exploration.failures.map(\.kind)
        guard kinds == (getsOn ? [] : [Failure.Kind.blocked]) else { exit(1) }
      }
    }
  #endif

  @Test func `a scenario that another thread resumes`() async throws {
    let exploration = await explore {
      await Interleaving.withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
    }
    #expect(exploration.failures.map(\.kind).contains(.escape), "\(exploration)")
    #expect(exploration.completeness == .uncontrolled)
  }

  @Test func `an unstructured task that another thread resumes`() async throws {
    let exploration = await explore {
      await Task {
        await Interleaving.withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume() }
        }
      }.value
    }
    #expect(exploration.failures.map(\.kind).contains(.escape), "\(exploration)")
  }

  @Test func `an actor on a queue of its own`() async throws {
    actor Queued {
      private let queue = QueueExecutor()
      nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
      func touch() {}
    }
    let exploration = await explore { await Queued().touch() }
    #expect(exploration.failures.map(\.kind).contains(.escape), "\(exploration)")
  }

  @Test func `a limit on schedules is stated`() async {
    let exploration = await explore(limit: 5) {
      async let first: Void = Task.yield()
      async let second: Void = Task.yield()
      _ = await (first, second)
    }
    #expect(exploration.schedules == 5)
    #expect(exploration.completeness == .scheduleLimit(5))
    #expect(exploration.completeness.description.contains("5 schedules"))
  }

  @Test func `deadlocks leave a bounded number of tasks behind`() async {
    let exploration = await explore {
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            await Task.yield()
            await Task.yield()
          }
        }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(exploration.completeness == .abandonedTaskLimit(1000))
    #expect(exploration.abandonedTasks > 1000 && exploration.abandonedTasks < 1100)
  }

  @Test func `an exploration stops when its task is cancelled`() async {
    let task = Task {
      await explore(limit: .max) {
        await withTaskGroup { group in
          for _ in 0..<8 { group.addTask { await Task.yield() } }
        }
      }
    }
    task.cancel()
    #expect(await task.value.completeness == .cancelled)
  }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "an actor's own")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// How long a processor has worked for this thread.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
