/// A task set that has been checked, in the form in which it runs: numbers instead of names, and what a
/// protocol does at a suspension written out.
struct Program {
  enum Operation: Hashable {
    case compute(Int)
    case lock(Int)
    case unlock(Int)
    case wait(Int)
    case end
  }

  /// The operations of each job, ended by `end`.
  private(set) var operations: [[Operation]] = []
  /// The ceiling of each lock.
  private(set) var ceilings: [Int] = []

  private static let ticks = 0...1_000_000_000
  private static let priorities = -1_000_000_000...1_000_000_000

  init(_ tasks: TaskSet, under policy: LockingProtocol) throws(InvalidTaskSet) {
    if let name = Self.repeated(tasks.jobs.map(\.name)) ?? Self.repeated(tasks.locks.map(\.name)) {
      throw InvalidTaskSet(job: nil, segment: nil, reason: .nameTwice(name))
    }
    for case let ceiling? in tasks.locks.map(\.ceiling) where !Self.priorities.contains(ceiling) {
      throw InvalidTaskSet(job: nil, segment: nil, reason: .priority(ceiling))
    }
    let numbers = Dictionary(
      uniqueKeysWithValues: tasks.locks.enumerated().map { ($1.name, $0) })
    for job in tasks.jobs {
      operations.append(try Self.operations(of: job, numbers: numbers))
    }
    ceilings = tasks.locks.indices.map { lock in
      tasks.locks[lock].ceiling
        ?? zip(tasks.jobs, operations).filter { $1.contains(.lock(lock)) }.map(\.0.priority).max()
        ?? Self.priorities.lowerBound
    }
    if policy.admission == .aboveCeilings || policy.boost == .ceilings {
      try checkCeilings(of: tasks, numbers: numbers)
    }
    if !policy.holdsWhileSuspended { operations = operations.map(Self.leavingWhenSuspended) }
  }

  // MARK: Checks

  private static func repeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }

  private static func operations(
    of job: Job, numbers: [String: Int]
  ) throws(InvalidTaskSet) -> [Operation] {
    func refuse(_ reason: InvalidTaskSet.Reason, at segment: Int? = nil) -> InvalidTaskSet {
      InvalidTaskSet(job: job.name, segment: segment, reason: reason)
    }
    if !priorities.contains(job.priority) { throw refuse(.priority(job.priority)) }
    if !ticks.contains(job.release) { throw refuse(.time(job.release)) }
    for case let time? in [job.period, job.deadline] where time == 0 || !ticks.contains(time) {
      throw refuse(.time(time))
    }
    var operations: [Operation] = []
    var held: [String] = []
    for (segment, number) in zip(job.segments, 1...) {
      switch segment {
      case .compute(let time), .wait(let time):
        if !ticks.contains(time) { throw refuse(.time(time), at: number) }
        if case .wait = segment {
          operations.append(.wait(time))
        } else {
          operations.append(.compute(time))
        }
      case .lock(let name):
        guard let lock = numbers[name] else { throw refuse(.unknownLock(name), at: number) }
        if held.contains(name) { throw refuse(.alreadyHeld(name), at: number) }
        held.append(name)
        operations.append(.lock(lock))
      case .unlock(let name):
        guard let lock = numbers[name] else { throw refuse(.unknownLock(name), at: number) }
        guard held.contains(name), let inner = held.popLast() else {
          throw refuse(.notHeld(name), at: number)
        }
        if inner != name { throw refuse(.notNested(name, inner: inner), at: number) }
        operations.append(.unlock(lock))
      }
    }
    if let lock = held.last {
      throw refuse(.neverUnlocked(lock), at: job.segments.lastIndex(of: .lock(lock))! + 1)
    }
    return operations + [.end]
  }

  /// Refuses a job that is more urgent than the ceiling of a lock that it takes, as POSIX does (EINVAL).
  private func checkCeilings(of tasks: TaskSet, numbers: [String: Int]) throws(InvalidTaskSet) {
    for job in tasks.jobs {
      for (segment, number) in zip(job.segments, 1...) {
        guard case .lock(let name) = segment, let lock = numbers[name],
          ceilings[lock] < job.priority
        else { continue }
        throw InvalidTaskSet(
          job: job.name, segment: number,
          reason: .ceilingTooLow(
            name, ceiling: ceilings[lock], cycle: cycle(through: lock).map { tasks.locks[$0].name })
        )
      }
    }
  }

  /// The shortest cycle of locks, each taken inside the one before it, that begins with a lock.
  private func cycle(through lock: Int) -> [Int] {
    var inner: [Set<Int>] = Array(repeating: [], count: ceilings.count)
    for nesting in sections.joined() {
      if let outer = nesting.outer { inner[outer].insert(nesting.lock) }
    }
    var paths = [[lock]]
    var seen: Set<Int> = []
    while !paths.isEmpty {
      for path in paths where inner[path.last!].contains(lock) { return path }
      paths = paths.flatMap { path in
        inner[path.last!].sorted().filter { seen.insert($0).inserted }.map { path + [$0] }
      }
    }
    return []
  }

  // MARK: What follows from the operations

  /// A critical section.
  struct Section {
    let lock: Int
    /// The lock of the section right around it.
    let outer: Int?
    /// How long it computes, and has computed before, in ticks.
    var length = 0
    let start: Int
  }

  /// The critical sections of each job.
  var sections: [[Section]] {
    operations.map { operations in
      var sections: [Section] = []
      var open: [Int] = []
      var time = 0
      for operation in operations {
        switch operation {
        case .compute(let ticks):
          time += ticks
          for index in open { sections[index].length += ticks }
        case .lock(let lock):
          open.append(sections.count)
          let outer = open.dropLast().last.map { sections[$0].lock }
          sections.append(Section(lock: lock, outer: outer, start: time))
        case .unlock: open.removeLast()
        case .wait, .end: break
        }
      }
      return sections
    }
  }

  /// The same operations, where a job leaves the lock that it has before it waits or takes another one,
  /// and takes it again afterwards: what an actor does at an `await`.
  private static func leavingWhenSuspended(_ operations: [Operation]) -> [Operation] {
    var result: [Operation] = []
    var held: [Int] = []
    for operation in operations {
      switch operation {
      case .lock(let lock):
        if let outer = held.last { result.append(.unlock(outer)) }
        result.append(operation)
        held.append(lock)
      case .unlock:
        result.append(operation)
        held.removeLast()
        if let outer = held.last { result.append(.lock(outer)) }
      case .wait:
        if let outer = held.last {
          result += [.unlock(outer), operation, .lock(outer)]
        } else {
          result.append(operation)
        }
      case .compute, .end: result.append(operation)
      }
    }
    return result
  }
}
