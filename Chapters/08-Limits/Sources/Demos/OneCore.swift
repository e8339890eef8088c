import Synchronization

/// A core that runs the most urgent job next, and of several equally urgent ones the one that came first. Time is
/// counted in jobs.
final class OneCore: TaskExecutor {
  private struct State {
    var ready: [(priority: UInt8, job: UnownedJob)] = []
    var waiting: [(until: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var time = 0
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let priority = job.priority.rawValue
    let job = UnownedJob(job)
    state.withLock { $0.ready.append((priority, job)) }
  }

  /// Waits, as for a disk, while the core runs so many jobs of others.
  func wait(_ jobs: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiting.append(($0.time + jobs, continuation)) }
    }
  }

  /// Runs jobs on the calling thread until none is left and nobody waits for the disk.
  func run() {
    while true {
      let woken = state.withLock { state in
        // If no job is ready, time goes on to when the disk has something.
        if state.ready.isEmpty { state.time = state.waiting.map(\.until).min() ?? state.time }
        let time = state.time
        defer { state.waiting.removeAll { $0.until <= time } }
        return state.waiting.filter { $0.until <= time }.map(\.continuation)
      }
      for continuation in woken { continuation.resume() }
      let job = state.withLock { state -> UnownedJob? in
        guard let highest = state.ready.map(\.priority).max() else { return nil }
        state.time += 1
        return state.ready.remove(at: state.ready.firstIndex { $0.priority == highest }!).job
      }
      guard let job else {
        if woken.isEmpty { return }
        continue
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
