// region longestDelay
/// How long less urgent jobs can delay a job, at most, in ticks, under immediate ceilings.
///
/// The check uses it.
func longestDelay(of job: Job, in tasks: TaskSet) -> Int {
  let own = Set(sections(of: job).map(\.lock))
  let inTheWay = tasks.jobs.filter { $0.priority < job.priority }.flatMap(sections)
    .filter { own.contains($0.lock) }
  return max((inTheWay.map(\.length).max() ?? 0) - 1, 0)
}
// endregion
