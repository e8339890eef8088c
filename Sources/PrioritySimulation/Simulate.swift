/// Runs a task set in virtual time.
///
/// ```swift
/// let section: [Segment] = [.lock("bus"), .compute(4), .unlock("bus")]
/// let tasks = TaskSet(
///   jobs: [
///     Job("high", priority: 3, release: 2, section),
///     Job("middle", priority: 2, release: 3, [.compute(20)]),
///     Job("low", priority: 1, section),
///   ],
///   locks: ["bus"])
/// print(try simulate(tasks, under: .inheritance))
/// ```
///
/// At one instant, whoever has computed enough gives back locks or ends; then jobs are released and wake
/// up; then the most urgent run, and may take locks. Nothing but computing and waiting takes time. The
/// result depends on the arguments and on nothing else.
///
/// - Parameters:
///   - tasks: The jobs and locks.
///   - policy: What happens when a job wants a lock. The ceiling protocols are made for one core: on
///     several their bounds do not hold.
///   - dispatching: Which of the jobs that could run do run.
///   - cores: How many cores there are, 1 or more; any job runs on any of them.
///   - horizon: Until when periodic jobs are released, in ticks, excluded. What was released before is
///     simulated to its end.
/// - Returns: Responses, blocking, context switches, deadlocks and charts.
/// - Throws: ``InvalidTaskSet``, with the job, the segment and the reason.
/// - Complexity: O(*e* · *j*) for *e* events and *j* jobs.
public func simulate(
  _ tasks: TaskSet, under policy: LockingProtocol, dispatching: Dispatching = .fixedPriority,
  cores: Int = 1, until horizon: Int? = nil
) throws(InvalidTaskSet) -> Simulation {
  precondition(cores > 0, "a simulation needs a core")
  let program = try Program(tasks, under: policy)
  if horizon == nil, let job = tasks.jobs.first(where: { $0.period != nil }) {
    throw InvalidTaskSet(job: job.name, segment: nil, reason: .noHorizon)
  }
  if let horizon, !(0...1_000_000_000).contains(horizon) {
    throw InvalidTaskSet(job: nil, segment: nil, reason: .time(horizon))
  }
  var simulator = Simulator(
    program,
    Simulation(tasks: tasks, policy: policy, dispatching: dispatching, cores: cores),
    until: horizon ?? .max)
  return simulator.run()
}
