import Synchronization

/// What other threads did to an exploration: jobs of its scenario that they made ready.
final class Escapes: Sendable {
  /// A job that came.
  struct Arrival: @unchecked Sendable {
    // Sendable: a job is handed on, and used by the thread that takes it.
    let job: UnownedJob
    /// Where it is to run, if it is no job of an actor's own.
    let isolation: Isolation
    /// How many steps the one under way had awaited by then.
    var awaited = 0
  }

  private let jobs = Mutex<[Arrival]>([])
  private let wait = Atomic(false)
  private let isClosed = Atomic(false)
  private let noted = Atomic(0)

  /// How often another thread had a hand in the scenario.
  var count: Int { noted.load(ordering: .relaxed) }

  /// Another thread resumed a continuation of the scenario.
  func note() { noted.add(1, ordering: .relaxed) }

  /// Another thread made a job ready.
  func receive(_ arrival: Arrival) {
    if isClosed.load(ordering: .acquiring) { return }
    jobs.withLock { $0.append(arrival) }
    wait.store(true, ordering: .releasing)
  }

  /// Hands over what has come since the last call.
  func take() -> [Arrival] {
    guard wait.load(ordering: .relaxed), wait.exchange(false, ordering: .acquiringAndReleasing)
    else { return [] }
    let taken = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    noted.add(taken.count, ordering: .relaxed)
    return taken
  }

  /// Drops what comes from now on.
  func close() { isClosed.store(true, ordering: .releasing) }
}
