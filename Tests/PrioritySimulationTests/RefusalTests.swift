import Testing

@testable import PrioritySimulation

/// Bad input is refused with the job, the segment and the reason.
struct RefusalTests {
  static let refusals: [(Job, String)] = [
    (
      Job("a", priority: 1, [.compute(1), .compute(-1)]),
      "job 'a', segment 2: -1 is no number of ticks: 0 to 1,000,000,000; 1 or more for a period or deadline"
    ),
    (
      Job("a", priority: 1, [.wait(1_000_000_001)]),
      "job 'a', segment 1: 1000000001 is no number of ticks: 0 to 1,000,000,000; 1 or more for a period or deadline"
    ),
    (
      Job("a", priority: 1, release: -3, []),
      "job 'a': -3 is no number of ticks: 0 to 1,000,000,000; 1 or more for a period or deadline"
    ),
    (
      Job("a", priority: 1, period: 0, []),
      "job 'a': 0 is no number of ticks: 0 to 1,000,000,000; 1 or more for a period or deadline"
    ),
    (
      Job("a", priority: 1, deadline: 0, []),
      "job 'a': 0 is no number of ticks: 0 to 1,000,000,000; 1 or more for a period or deadline"
    ),
    (
      Job("a", priority: .max, []),
      "job 'a': \(Int.max) is no priority: they go from -1,000,000,000 to 1,000,000,000"
    ),
    (
      Job("a", priority: 1, [.lock("C"), .unlock("C")]),
      "job 'a', segment 1: there is no lock 'C': add it to the set's locks"
    ),
    (
      Job("a", priority: 1, [.compute(1), .unlock("C")]),
      "job 'a', segment 2: there is no lock 'C': add it to the set's locks"
    ),
    (
      Job("a", priority: 1, [.unlock("A")]),
      "job 'a', segment 1: 'A' is unlocked without being locked"
    ),
    (
      Job("a", priority: 1, [.lock("A"), .lock("A")]),
      "job 'a', segment 2: 'A' is locked already, by this job: it would wait for itself"
    ),
    (
      Job("a", priority: 1, [.lock("A"), .lock("B"), .unlock("A")]),
      "job 'a', segment 3: 'A' is unlocked before 'B', which was locked after it: sections must nest"
    ),
    (
      Job("a", priority: 1, [.lock("A"), .compute(1)]),
      "job 'a', segment 1: 'A' is never unlocked"
    ),
    (
      Job("a", priority: 1, period: 5, []),
      "job 'a': it is released again and again: say `until:` when"
    ),
  ]

  @Test(arguments: refusals)
  func `a job`(job: Job, message: String) {
    let tasks = TaskSet(jobs: [job], locks: ["A", "B"])
    for policy in LockingProtocol.all {
      #expect(message == error(of: tasks, under: policy)?.description)
    }
  }

  @Test func `a name that is given twice`() {
    let job = Job("a", priority: 1, [])
    #expect(error(of: TaskSet(jobs: [job, job]))?.reason == .nameTwice("a"))
    #expect(error(of: TaskSet(jobs: [job], locks: ["A", "A"]))?.reason == .nameTwice("A"))
  }

  @Test func `a ceiling out of range, and a horizon`() {
    let tasks = TaskSet(jobs: [], locks: [Lock("A", ceiling: .min)])
    #expect(error(of: tasks)?.reason == .priority(.min))
    #expect(throws: InvalidTaskSet(job: nil, segment: nil, reason: .time(-1))) {
      try simulate(TaskSet(jobs: []), under: .noProtocol, until: -1)
    }
  }

  @Test func `a ceiling below a user's priority, under the protocols that have ceilings`() {
    let section: [Segment] = [.lock("A"), .compute(1), .unlock("A")]
    let tasks = TaskSet(
      jobs: [Job("low", priority: 1, section), Job("high", priority: 3, [.compute(1)] + section)],
      locks: [Lock("A", ceiling: 2)])
    for policy in LockingProtocol.all {
      let hasCeilings = policy == .originalCeiling || policy == .immediateCeiling
      #expect(
        error(of: tasks, under: policy)?.description
          == (hasCeilings
            ? "job 'high', segment 2: the ceiling of 'A', 2, is below the job's priority" : nil))
    }
    var right = tasks
    right.locks = [Lock("A", ceiling: 3)]
    #expect(error(of: right, under: .immediateCeiling) == nil)
  }

  @Test func `a cycle of nesting under a ceiling too low is named`() {
    func nested(_ outer: String, _ inner: String) -> [Segment] {
      [.lock(outer), .lock(inner), .compute(1), .unlock(inner), .unlock(outer)]
    }
    let jobs = [
      Job("high", priority: 3, nested("A", "B")), Job("middle", priority: 2, nested("B", "C")),
      Job("low", priority: 1, nested("C", "A")),
    ]
    let tasks = TaskSet(jobs: jobs, locks: ["A", Lock("B", ceiling: 2), "C"])
    #expect(
      error(of: tasks, under: .originalCeiling)?.description
        == "job 'high', segment 2: the ceiling of 'B', 2, is below the job's priority, and sections "
        + "nest in a cycle, B > C > A > B, which that ceiling does not break")
    // Under ceilings that are high enough the same cycle is harmless.
    #expect(error(of: TaskSet(jobs: jobs, locks: ["A", "B", "C"]), under: .originalCeiling) == nil)
  }

  private func error(of tasks: TaskSet, under policy: LockingProtocol = .noProtocol)
    -> InvalidTaskSet?
  {
    do {
      _ = try simulate(tasks, under: policy)
      return nil
    } catch {
      return error
    }
  }
}
