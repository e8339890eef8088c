/// Stands for the main actor's executor on the thread of an exploration.
final class MainQueue: SerialExecutor {
  // Unowned: the executor owns the queue.
  private unowned let executor: ScenarioExecutor

  init(_ executor: ScenarioExecutor) {
    self.executor = executor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    executor.receive(UnownedJob(job), isOnMain: true)
  }
}
