import Synchronization

/// Runs a scenario under every schedule of its tasks, or as many as the strategy says.
///
///     let exploration = await explore {
///       let account = Account(balance: 100)
///       async let first: Void = account.withdraw(80)
///       async let second: Void = account.withdraw(80)
///       _ = await (first, second)
///       return await account.balance
///     }
///
/// The scenario is run again for each schedule, so it must make whatever it works on. Every task that
/// it begins is under control, and sleeping takes no time.
///
/// - Parameters:
///   - strategy: Which schedules.
///   - limit: The most schedules, 1 or more.
///   - stopsAtFailure: Whether to end with the first schedule that fails, and not look for more.
///   - steps: The most steps in one schedule, 1 or more; one that needs more is cut off and reported.
///   - renewsStatics: Whether each `static let` and global variable that the scenario's code sets up is set up
///     anew in each execution, so that what a singleton keeps begins anew; the one before is left behind.
///   - time: How virtual time goes by.
///   - patience: How long one step may take in real time before it counts as blocked, more than zero; the
///     first time that nothing can go on, another thread gets a twentieth of it to change that.
///   - isAllowed: Whether an outcome is right; one that is not is a failure.
///   - scenario: What to explore; its result is the outcome of a schedule.
/// - Returns: Outcomes, failures, and whether any schedule is left.
/// - Complexity: The number of schedules grows exponentially with the steps of tasks that run side by
///   side; see ``Strategy``.
public func explore<Outcome: Hashable & Sendable>(
  _ strategy: Strategy = .exhaustive, limit: Int = 100_000, stopsAtFailure: Bool = false,
  steps: Int = 10_000, renewsStatics: Bool = false, time: VirtualTime = .passesAtAnyStep,
  patience: Duration = .seconds(10),
  allowing isAllowed: @escaping @Sendable (Outcome) -> Bool = { _ in true },
  scenario: @escaping @Sendable () async throws -> Outcome
) async -> Exploration<Outcome> {
  precondition(limit >= 1 && steps >= 1, "an exploration takes at least one schedule of one step")
  let options = Options(
    strategy: strategy, time: time, schedules: limit, stopsAtFailure: stopsAtFailure,
    renewsStatics: renewsStatics, steps: steps, patience: patience)
  return await onOwnThread(options, isAllowed, scenario) { $0.explore() }
}

/// Runs a scenario that returns nothing under every schedule of its tasks.
///
/// - Parameters:
///   - strategy: Which schedules.
///   - limit: The most schedules, 1 or more.
///   - stopsAtFailure: Whether to end with the first schedule that fails, and not look for more.
///   - steps: The most steps in one schedule, 1 or more; one that needs more is cut off and reported.
///   - renewsStatics: Whether each `static let` and global variable that the scenario's code sets up is set up
///     anew in each execution, so that what a singleton keeps begins anew; the one before is left behind.
///   - time: How virtual time goes by.
///   - patience: How long one step may take in real time before it counts as blocked, more than zero; the
///     first time that nothing can go on, another thread gets a twentieth of it to change that.
///   - scenario: What to explore.
/// - Returns: Failures, and whether any schedule is left.
@_disfavoredOverload  // A closure whose last expression has a value returns it.
public func explore(
  _ strategy: Strategy = .exhaustive, limit: Int = 100_000, stopsAtFailure: Bool = false,
  steps: Int = 10_000, renewsStatics: Bool = false, time: VirtualTime = .passesAtAnyStep,
  patience: Duration = .seconds(10),
  scenario: @escaping @Sendable () async throws -> Void
) async -> Exploration<Finished> {
  await explore(
    strategy, limit: limit, stopsAtFailure: stopsAtFailure, steps: steps,
    renewsStatics: renewsStatics, time: time, patience: patience
  ) {
    try await scenario()
    return Finished()
  }
}

/// The outcome of a scenario that returns nothing.
public struct Finished: Hashable, Sendable, CustomStringConvertible {
  public var description: String { "finished" }
}

/// Runs a scenario under one schedule, as an exploration wrote it.
///
/// - Parameters:
///   - schedule: The schedule, such as `0112.9c3e`: the description of a ``Schedule``.
///   - steps: The most steps, 1 or more.
///   - renewsStatics: Whether what the scenario's code sets up once is set up anew; what it was in the exploration.
///   - time: How virtual time goes by; what it was in the exploration.
///   - patience: How long one step may take in real time before it counts as blocked, more than zero; the
///     first time that nothing can go on, another thread gets a twentieth of it to change that.
///   - isAllowed: Whether an outcome is right; one that is not is a failure.
///   - scenario: What to run.
/// - Returns: Its outcome and its failures, among them one if this was not the run that the schedule
///   was written from.
/// - Throws: ``MalformedSchedule`` if the text is no schedule.
public func replay<Outcome: Hashable & Sendable>(
  _ schedule: String, steps: Int = 10_000, renewsStatics: Bool = false,
  time: VirtualTime = .passesAtAnyStep,
  patience: Duration = .seconds(10),
  allowing isAllowed: @escaping @Sendable (Outcome) -> Bool = { _ in true },
  scenario: @escaping @Sendable () async throws -> Outcome
) async throws -> Exploration<Outcome> {
  guard let parsed = Schedule(schedule) else { throw MalformedSchedule(text: schedule) }
  let options = Options(
    time: time, schedules: schedulesOfReplay, renewsStatics: renewsStatics, steps: steps,
    patience: patience)
  return await onOwnThread(options, isAllowed, scenario) { $0.replay(parsed) }
}

/// Runs a scenario that returns nothing under one schedule, as an exploration wrote it.
///
/// - Parameters:
///   - schedule: The schedule, such as `0112.9c3e`: the description of a ``Schedule``.
///   - steps: The most steps, 1 or more.
///   - renewsStatics: Whether what the scenario's code sets up once is set up anew; what it was in the exploration.
///   - time: How virtual time goes by; what it was in the exploration.
///   - patience: How long one step may take in real time before it counts as blocked, more than zero; the
///     first time that nothing can go on, another thread gets a twentieth of it to change that.
///   - scenario: What to run.
/// - Returns: Its failures, among them one if this was not the run that the schedule was written from.
/// - Throws: ``MalformedSchedule`` if the text is no schedule.
@_disfavoredOverload
public func replay(
  _ schedule: String, steps: Int = 10_000, renewsStatics: Bool = false,
  time: VirtualTime = .passesAtAnyStep,
  patience: Duration = .seconds(10), scenario: @escaping @Sendable () async throws -> Void
) async throws -> Exploration<Finished> {
  try await replay(
    schedule, steps: steps, renewsStatics: renewsStatics, time: time, patience: patience
  ) {
    try await scenario()
    return Finished()
  }
}

/// How many others are run at most, to find the scheduling points that a schedule was written with.
private let schedulesOfReplay = 5_000

// MARK: Scenarios that are known to be closed

/// Enough for a timer's thousand ticks.
private let stepsOfClosed = 20_000

/// Explores a scenario in which nobody but its own tasks and strands makes anything ready, so that what stands still is
/// not waited for.
package func exploreClosed<Outcome: Hashable & Sendable>(
  _ strategy: Strategy, limit: Int, time: VirtualTime,
  allowing isAllowed: @escaping @Sendable (Outcome) -> Bool,
  scenario: @escaping @Sendable () async throws -> Outcome
) async -> Exploration<Outcome> {
  let options = Options(
    strategy: strategy, time: time, schedules: limit, steps: stepsOfClosed, hasSurroundings: false)
  return await onOwnThread(options, isAllowed, scenario) { $0.explore() }
}

/// Runs such a scenario under one schedule.
package func replayClosed<Outcome: Hashable & Sendable>(
  _ schedule: String, time: VirtualTime,
  allowing isAllowed: @escaping @Sendable (Outcome) -> Bool,
  scenario: @escaping @Sendable () async throws -> Outcome
) async throws -> Exploration<Outcome> {
  guard let parsed = Schedule(schedule) else { throw MalformedSchedule(text: schedule) }
  let options = Options(
    time: time, schedules: schedulesOfReplay, steps: stepsOfClosed, hasSurroundings: false)
  return await onOwnThread(options, isAllowed, scenario) { $0.replay(parsed) }
}

/// A text that should be a schedule and is none.
public struct MalformedSchedule: Error, CustomStringConvertible {
  /// The text.
  public let text: String

  public var description: String {
    "“\(text)” is no schedule; one looks like 0112.9c3e, as an exploration prints it"
  }
}
