/// What theory says of a task set before it runs, on one core and with fixed priorities.
///
/// A response of a job takes at most *R*, the least solution of
/// *R* = *C* + *B* + Σ ⌈*R* / *T*⌉ · *C*, where *C* is what a release computes, *B* the blocking, and the
/// sum goes over the other jobs of its priority or above with their periods *T* (Joseph and Pandya 1986;
/// with blocking Audsley, Burns, Richardson, Tindell and Wellings 1993).
///
/// A section that is in the way has been computed for a tick, at least: the lock is taken before the more
/// urgent release, and of two things at one instant the release comes first. So it counts for a tick less
/// than its length, and the bounds are reached, where textbooks with continuous time only come close.
public struct ResponseTimeAnalysis: Sendable {
  private let tasks: TaskSet
  private let demands: [Int]
  /// Which jobs need the core for an instant more than they compute: those that lock at their very end.
  private let needsInstant: [Bool]
  private let blockings: [Int?]

  /// - Throws: ``InvalidTaskSet``, where simulating would.
  public init(_ tasks: TaskSet, under policy: LockingProtocol) throws(InvalidTaskSet) {
    let program = try Program(tasks, under: policy)
    self.tasks = tasks
    demands = program.operations.map { operations in
      operations.reduce(0) { if case .compute(let time) = $1 { $0 + time } else { $0 } }
    }
    needsInstant = program.operations.map { operations in
      let last = operations.lastIndex { if case .compute(1...) = $0 { true } else { false } }
      guard let last else { return true }
      return operations[last...].contains { if case .lock = $0 { true } else { false } }
    }
    blockings = Self.blockings(program, policy, tasks.jobs.map(\.priority))
  }

  /// The longest that less urgent jobs can delay a release of a job.
  ///
  /// - Returns: A number of ticks; nil if there is no bound: with locks and without boosting, or where
  ///   any job suspends itself. nil, too, if no job is called so.
  public func blocking(of job: String) -> Int? { index(of: job).flatMap { blockings[$0] } }

  /// The longest that a release of a job can take.
  ///
  /// - Returns: A number of ticks; nil if there is no bound on blocking, or none on the response up to the
  ///   job's period. nil, too, if no job is called so.
  public func response(of job: String) -> Int? {
    guard let index = index(of: job), let blocking = blockings[index] else { return nil }
    let given = tasks.jobs[index]
    let others = tasks.jobs.indices.filter {
      $0 != index && tasks.jobs[$0].priority >= given.priority
    }
    // Without a period there is no next release to come into the way.
    let limit = given.period ?? 1_000_000_000
    // An instant is less than a tick.
    let own = demands[index] + blocking + (needsInstant[index] ? 1 : 0)
    var response = own
    while response <= limit {
      var next = own
      for other in others where next <= limit {
        // Whoever computes for longer than the limit is not counted more than once.
        let period = demands[other] > limit ? nil : tasks.jobs[other].period
        next += (period.map { (response + $0 - 1) / $0 } ?? 1) * demands[other]
      }
      if next == response { return response }
      response = next
    }
    return nil
  }

  private func index(of job: String) -> Int? { tasks.jobs.firstIndex { $0.name == job } }

  /// The bound on blocking of each job.
  private static func blockings(
    _ program: Program, _ policy: LockingProtocol, _ priorities: [Int]
  ) -> [Int?] {
    let sections = program.sections
    // A suspension is time that is not computed, and a release of another job may come out of it late.
    let hasWaits = program.operations.joined().contains {
      if case .wait(1...) = $0 { true } else { false }
    }
    if hasWaits { return priorities.map { _ in nil } }
    if sections.allSatisfy(\.isEmpty) { return priorities.map { _ in 0 } }
    if policy.boost == .nothing { return priorities.map { _ in nil } }
    let isNested = sections.joined().contains { $0.outer != nil }
    let isOnce = policy.boost == .ceilings || policy.admission == .aboveCeilings
    var ceilings = program.ceilings
    if !isOnce, isNested {
      // Who holds an outer lock may have to wait for an inner one, and passes on what it inherits.
      for _ in ceilings.indices {
        for section in sections.joined() {
          guard let outer = section.outer else { continue }
          ceilings[section.lock] = max(ceilings[section.lock], ceilings[outer])
        }
      }
    }
    return priorities.map { priority in
      // What can block: a section of a less urgent job at a lock that this job or a more urgent one uses.
      let blocking = priorities.indices.filter { priorities[$0] < priority }.map { job in
        sections[job].filter { ceilings[$0.lock] >= priority && $0.length > 0 }
      }
      let longest = blocking.map { $0.map(\.length).max() ?? 0 }
      // At most one section of all.
      if isOnce { return max((longest.max() ?? 0) - 1, 0) }
      // For each section in the way a tick has gone by in one of them; but a job that waits for an inner lock
      // may have let none go by.
      let begun = isNested ? 0 : 1
      let ofJobs = longest.reduce(0) { $0 + max($1 - begun, 0) }
      if policy.admission == .inTurn { return ofJobs }
      // At most one section of each job, and at most one of each lock.
      let ofLocks = ceilings.indices.reduce(0) { sum, lock in
        let longest = blocking.joined().filter { $0.lock == lock }.map(\.length).max() ?? 0
        return sum + max(longest - begun, 0)
      }
      return min(ofJobs, ofLocks)
    }
  }
}
