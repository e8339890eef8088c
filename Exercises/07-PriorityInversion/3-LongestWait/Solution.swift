import PrioritySimulation

/// A section of a job: the lock that it has, and for how many ticks it computes with it.
struct Section {
  let lock: String
  let length: Int
}

/// The sections of a job, nested ones, too. It stays as it is.
func sections(of job: Job) -> [Section] {
  var sections: [Section] = []
  var open: [(lock: String, begin: Int)] = []
  var work = 0
  for segment in job.segments {
    switch segment {
    case .compute(let ticks): work += ticks
    case .lock(let lock): open.append((lock, work))
    case .unlock:
      let (lock, begin) = open.removeLast()
      sections.append(Section(lock: lock, length: work - begin))
    case .wait: break
    }
  }
  return sections
}

/// The priority of the most urgent job that takes a lock. It stays as it is.
func ceiling(of lock: String, in tasks: TaskSet) -> Int {
  tasks.jobs.filter { sections(of: $0).contains { $0.lock == lock } }.map(\.priority).max() ?? .min
}

// region longestDelay
/// How long less urgent jobs can delay a job, at most, in ticks, under immediate ceilings.
///
/// The check uses it.
func longestDelay(of job: Job, in tasks: TaskSet) -> Int {
  let inTheWay = tasks.jobs.filter { $0.priority < job.priority }.flatMap(sections)
    .filter { ceiling(of: $0.lock, in: tasks) >= job.priority }
  return max((inTheWay.map(\.length).max() ?? 0) - 1, 0)
}
// endregion
