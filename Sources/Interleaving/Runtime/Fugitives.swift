import Synchronization

/// The tasks of explorations that have no preference of executor: were another thread to resume one,
/// it would run on the global pool, unseen.
enum Fugitives {
  private static let tasks = Mutex<[TaskReference: JobReceiver]>([:])
  private static let count = Atomic(0)

  static func add(_ task: TaskReference, of receiver: JobReceiver) {
    tasks.withLock { $0[task] = receiver }
    count.add(1, ordering: .relaxed)
  }

  static func remove(_ task: TaskReference) {
    if tasks.withLock({ $0.removeValue(forKey: task) }) != nil {
      count.subtract(1, ordering: .relaxed)
    }
  }

  /// The exploration whose task this job, made ready on another thread, belongs to.
  static func receiver(of job: UnownedJob) -> JobReceiver? {
    guard count.load(ordering: .relaxed) > 0 else { return nil }
    // A task that is resumed on an actor comes within the actor's own job.
    let actor = SwiftRuntime.layout.flatMap(job.drainedActor)
    let candidates = (actor?.queuedJobs ?? [job]).map { TaskReference($0) }
    return tasks.withLock { tasks in candidates.first { tasks[$0] != nil }.flatMap { tasks[$0] } }
  }
}
