import Dispatch
import Foundation
import Synchronization

/// Runs its jobs one by one on a thread that it shares with nobody, and that sleeps between them.
public final class ThreadExecutor: TaskExecutor {
  private let inbox = Inbox()

  /// Begins the thread.
  public init() {
    Thread.detachNewThread { [inbox] in
      while let run = inbox.next() {
        run()
        inbox.noteDone()
      }
    }
  }

  deinit {
    inbox.put(nil)
  }

  /// Whether no job is in line or runs: a task that has begun here and not ended is suspended then. Asking orders no
  /// memory.
  public var isIdle: Bool { inbox.isIdle }

  /// Has the thread run a job after those that came before.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    inbox.put { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  private final class Inbox: Sendable {
    private let jobs = Mutex<[(@Sendable () -> Void)?]>([])
    private let isFilled = DispatchSemaphore(value: 0)
    /// The jobs in line and the one that runs; asking for it orders no memory.
    private let undone = Atomic(0)

    var isIdle: Bool { undone.load(ordering: .relaxed) == 0 }

    /// - Parameter job: What to run; `nil` ends the thread.
    func put(_ job: (@Sendable () -> Void)?) {
      undone.add(1, ordering: .relaxed)
      jobs.withLock { $0.append(job) }
      isFilled.signal()
    }

    func next() -> (@Sendable () -> Void)? {
      isFilled.wait()
      return jobs.withLock { $0.removeFirst() }
    }

    /// Notes that the job that was next has been run.
    func noteDone() { undone.subtract(1, ordering: .relaxed) }
  }
}
