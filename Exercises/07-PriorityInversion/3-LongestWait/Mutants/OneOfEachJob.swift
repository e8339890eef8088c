// region longestDelay
/// How long less urgent jobs can delay a job, at most, in ticks, under immediate ceilings.
///
/// The check uses it.
func longestDelay(of job: Job, in tasks: TaskSet) -> Int {
  // One section of each less urgent job, as under inheritance.
  let delays = tasks.jobs.filter { $0.priority < job.priority }.map { lower in
    let inTheWay = sections(of: lower).filter {
      ceiling(of: $0.lock, in: tasks) >= job.priority
    }
    return max((inTheWay.map(\.length).max() ?? 0) - 1, 0)
  }
  return delays.reduce(0, +)
}
// endregion
