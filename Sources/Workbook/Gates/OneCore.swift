import Synchronization

/// A core that runs the most urgent job next, and of several equally urgent ones the one that came first.
///
/// Swift's own pool has a thread for each core, and where they meet depends on chance; here it does not. The
/// priority of a job is the one that the runtime gives it when it is enqueued. Time is counted in jobs.
public final class OneCore: TaskExecutor {
  private struct State {
    var ready: [(priority: UInt8, job: UnownedJob)] = []
    var waiting: [(until: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var time = 0
  }

  private let state = Mutex(State())

  /// Begins with no job, at 0.
  public init() {}

  /// How many jobs have been run, or would have been while everybody waited.
  public var time: Int { state.withLock(\.time) }

  /// Has a job run when it is the most urgent one.
  public func enqueue(_ job: consuming ExecutorJob) {
    let priority = job.priority.rawValue
    let job = UnownedJob(job)
    state.withLock { $0.ready.append((priority, job)) }
  }

  /// Waits, as for a disk, while the core runs so many jobs of others.
  ///
  /// - Parameter jobs: How many; 0 or more.
  public func wait(_ jobs: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiting.append(($0.time + jobs, continuation)) }
    }
  }

  /// Runs jobs on the calling thread until none is left and nobody waits. A job takes time linear in those in line.
  public func run() {
    while true {
      for continuation in takeWoken() { continuation.resume() }
      if let job = takeMostUrgent() {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if !passTime() {
        return
      }
    }
  }

  private func takeWoken() -> [CheckedContinuation<Void, Never>] {
    state.withLock { state in
      let woken = state.waiting.filter { $0.until <= state.time }
      state.waiting.removeAll { $0.until <= state.time }
      return woken.map(\.continuation)
    }
  }

  private func takeMostUrgent() -> UnownedJob? {
    state.withLock { state in
      guard let highest = state.ready.map(\.priority).max() else { return nil }
      state.time += 1
      return state.ready.remove(at: state.ready.firstIndex { $0.priority == highest }!).job
    }
  }

  /// Goes to when the first who waits is woken; false if nobody waits.
  private func passTime() -> Bool {
    state.withLock { state in
      guard let next = state.waiting.map(\.until).min() else { return false }
      state.time = next
      return true
    }
  }
}
