// region longestDelay
/// How long less urgent jobs can delay a job, at most, in ticks, under immediate ceilings.
///
/// The check uses it.
func longestDelay(of job: Job, in tasks: TaskSet) -> Int {
  let inTheWay = tasks.jobs.filter { $0.priority < job.priority }.flatMap(sections)
    .filter { ceiling(of: $0.lock, in: tasks) >= job.priority }
  return inTheWay.map(\.length).max() ?? 0
}
// endregion
