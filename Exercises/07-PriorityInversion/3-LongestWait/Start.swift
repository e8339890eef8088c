// region longestDelay
// TODO: Count the sections that can be in the way, and no others.
/// How long less urgent jobs can delay a job, at most, in ticks, under immediate ceilings.
///
/// The check uses it.
func longestDelay(of job: Job, in tasks: TaskSet) -> Int {
  tasks.jobs.filter { $0.priority < job.priority }.flatMap(sections).map(\.length).max() ?? 0
}
// endregion
