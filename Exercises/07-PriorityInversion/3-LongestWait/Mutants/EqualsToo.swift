// Looks right: whoever is not more urgent may have a lock. Wrong: one that is as urgent is not less urgent, and its
// section is no delay by a less urgent job.

// region longestDelay
/// How long less urgent jobs can delay a job, at most, in ticks, under immediate ceilings.
///
/// The check uses it.
func longestDelay(of job: Job, in tasks: TaskSet) -> Int {
  let inTheWay = tasks.jobs.filter { $0.priority <= job.priority && $0.name != job.name }.flatMap(
    sections
  )
  .filter { ceiling(of: $0.lock, in: tasks) >= job.priority }
  return max((inTheWay.map(\.length).max() ?? 0) - 1, 0)
}
// endregion
