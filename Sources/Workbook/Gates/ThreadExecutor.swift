import Dispatch

/// Runs its jobs one by one on a thread that it shares with nobody.
final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "task")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
