import Foundation

/// Runs a scenario under one schedule after another and gathers what it finds.
final class Explorer<Outcome: Hashable & Sendable> {
  typealias Scenario = @Sendable () async throws -> Outcome

  private typealias Run = Execution<Outcome>

  private let options: Options
  private let scenario: Scenario
  private let isAllowed: (Outcome) -> Bool
  private let isCancelled: () -> Bool
  let executor: ScenarioExecutor

  private var schedules = 0
  private var gathering = Gathering<Outcome>()
  private var abandonedTasks = 0
  private var wasCutOff = false

  init(
    _ options: Options, isAllowed: @escaping (Outcome) -> Bool,
    isCancelled: @escaping () -> Bool, scenario: @escaping Scenario
  ) {
    self.options = options
    self.scenario = scenario
    self.isAllowed = isAllowed
    self.isCancelled = isCancelled
    executor = ScenarioExecutor(options: options)
  }

  // MARK: The two ways to run

  /// Runs every schedule of the strategy, on the calling thread.
  func explore() -> Exploration<Outcome> {
    withExecutor {
      var strategy = options.strategy
      if case .reduced = strategy, executor.runtime == nil {
        // Without knowing what a step touches, no two commute.
        strategy = .exhaustive
      }
      var completeness: Completeness
      if let unsteady = warmUp() {
        gathering.add(unsteady.finding, in: unsteady.run)
        completeness = .uncontrolled
      } else {
        completeness = drive(strategy.makeSearch(usesCarriers: options.usesCarriers))
        if case .reduced = strategy, options.usesCarriers, executor.needsEverySchedule {
          strategy = .exhaustive
          gathering = Gathering()
          schedules = 0
          completeness = drive(ExhaustiveSearch())
        }
      }
      if case .complete = completeness, case .reduced(let assumption) = strategy {
        completeness = .complete(
          assuming: options.usesCarriers ? .controlledSharing : assumption)
        if let broken = executor.brokenAssumption { completeness = .assumptionBroken(broken) }
      }
      if case .complete = completeness, case .preemptionBounded(let bound) = strategy {
        completeness = .bounded(preemptions: bound)
      }
      if !completeness.isCutShort, let missing = executor.missingControl {
        completeness = .partialControl(missing)
      }
      if strategy != .exhaustive || completeness != .complete(assuming: nil) { shorten() }
      return exploration(completeness)
    }
  }

  /// Runs one schedule, on the calling thread.
  func replay(_ schedule: Schedule) -> Exploration<Outcome> {
    withExecutor {
      var search = ReplaySearch(schedule.choices)
      executor.races.watch()
      var run = self.run(&search)
      if let first = run, executor.races.hasSuspicion {
        // A race takes two orders to prove; the other one is looked for nearby.
        lookForOtherOrder()
        search.retry()
        run = self.run(&search) ?? first
      }
      if let run {
        schedules = 1
        gathering.add(run)
        if run.schedule != schedule {
          gathering.add(
            Finding(
              .nondeterminism,
              "this run is \(run.schedule) and not \(schedule): the code has changed since, or what "
                + "it does depends on hashing, addresses, time or state that outlives the scenario"),
            in: run)
        }
      } else {
        gathering.add(
          Finding(
            .nondeterminism,
            "the schedule \(schedule) does not fit: the code has changed since, or what it does "
              + "depends on hashing, addresses, time or state that outlives the scenario"),
          in: Run(choices: schedule.choices))
      }
      abandonedTasks = executor.unfinished.count
      return exploration(run?.schedule == schedule ? .replayed : .uncontrolled)
    }
  }

  private func lookForOtherOrder() {
    var search = BoundedSearch(bound: 2)
    for _ in 0..<500 where search.begin() {
      guard run(&search) != nil, abandonedTasks <= options.abandonedTasks else { return }
    }
  }

  private func withExecutor<R>(_ body: () -> R) -> R {
    SwiftRuntime.setCurrent(executor)
    defer {
      executor.finish()
      SwiftRuntime.setCurrent(nil)
    }
    return body()
  }

  // MARK: One schedule after another

  private func drive(_ search: any Search) -> Completeness {
    func drive<S: Search>(_ search: S) -> Completeness {
      var search = search
      while search.begin() {
        if schedules == options.schedules {
          return search.isExhaustive ? .scheduleLimit(schedules) : .sampled
        }
        if isCancelled() { return .cancelled }
        guard let run = self.run(&search) else {
          gathering.add(
            executor.escapes.count > 0 ? escape : unsteadiness, in: Run(of: executor))
          return .uncontrolled
        }
        search.finish(executor.blocked)
        if !search.isRedundant {
          schedules += 1
          gathering.add(run)
        }
        if schedules & (schedules - 1) == 0, let unsteady = repeatRun(run) {
          gathering.add(unsteady.finding, in: unsteady.run)
          return .uncontrolled
        }
        if abandonedTasks > options.abandonedTasks {
          return .abandonedTaskLimit(options.abandonedTasks)
        }
        if executor.escapes.count > 0 { return .uncontrolled }
        if search.needsAccesses, executor.needsEverySchedule { return .uncontrolled }
        if options.stopsAtFailure, !gathering.sightings.isEmpty { return .stoppedAtFailure }
      }
      return wasCutOff ? .stepLimit(options.steps) : .complete(assuming: nil)
    }
    return drive(search)
  }

  /// Runs the scenario once; nil if a scheduling point was not the one that it had been before.
  private func run<S: Search>(_ search: inout S) -> Run? {
    let result = Result()
    let scenario = self.scenario
    var attempts = 0
    var ending = ScenarioExecutor.Ending.quiet
    repeat {
      if attempts > 0 { search.retry() }
      attempts += 1
      result.value = nil
      do {
        ending = try executor.execute(&search) { await result.set(scenario) }
      } catch {
        return nil
      }
      executor.startOverIfNeeded()
      abandonedTasks += executor.unfinished.count
      if attempts == 100 { return nil }
    } while executor.isUnsure
    var findings = executor.findings
    if executor.escapes.count > 0 { findings.append(escape) }
    var outcome: Outcome?
    switch result.value {
    case _ where ending == .stepLimit:
      wasCutOff = true
      findings.append(
        Finding(
          .livelock,
          "the scenario has not ended after \(options.steps) steps; if it needs more, raise `steps`"
        ))
    case nil where executor.hasTrapped: break
    case nil:
      findings.append(executor.deadlock)
    case .success(let value):
      outcome = value
      if !isAllowed(value) {
        findings.append(Finding(.outcome, "the outcome \(canonicalText(of: value))"))
      }
    case .failure(let error):
      findings.append(Finding(.error, "\(error)"))
    }
    if result.value != nil, ending == .quiet, !executor.hasTrapped, !executor.unfinished.isEmpty,
      executor.runtime != nil
    {
      findings.append(executor.leak)
    }
    for race in executor.races.confirmed {
      let strands = [race.strands.0, race.strands.1].sorted()
      let names = strands.map(executor.name).sorted()
      let finding = Finding(
        .race,
        "\(names[0]) and \(names[1]) use \(race.variable), one of them writing, and nothing that the "
          + "explorer can see orders them", subject: "\(race.variable) \(strands)")
      if !findings.contains(finding) { findings.append(finding) }
    }
    return Run(outcome: outcome, findings: findings, of: executor)
  }

  /// The scenario's result, set by its first task.
  private final class Result: @unchecked Sendable {
    // Sendable: written by a step, read between executions, both on the exploration's thread.
    var value: Swift.Result<Outcome, any Error>?

    func set(_ scenario: Scenario) async {
      do {
        value = .success(try await scenario())
      } catch {
        value = .failure(error)
      }
    }
  }

  // MARK: Steadiness

  private var escape: Finding {
    Finding(
      .escape,
      "another thread made a task of the scenario ready: a queue, a timer or a callback outside "
        + "Swift's concurrency is at work, and its order is not under control")
  }

  private var unsteadiness: Finding {
    Finding(
      .nondeterminism,
      "one schedule gave two different runs: what the scenario does depends on hashing, addresses, "
        + "time, chance or state that outlives it; or a step before a sleep is too slow to be timed"
    )
  }

  /// Runs the first schedule three times, so that what an exploration sets up once is set up, and
  /// compares.
  private func warmUp() -> (finding: Finding, run: Run)? {
    var search = ReplaySearch([])
    guard search.begin(), let first = run(&search) else { return nil }
    wasCutOff = false
    if executor.escapes.count > 0 { return (escape, first) }
    return repeatRun(first, times: 3)
  }

  /// Runs a schedule again, with the heap in another state; returns a finding if the run differs.
  private func repeatRun(_ run: Run, times: Int = 1) -> (finding: Finding, run: Run)? {
    for time in 1...times {
      // What depends on addresses should meet others.
      let noise = stride(from: 16, to: 1024, by: 16).flatMap { size in
        (0..<(2 * time)).map { _ in malloc(size) }
      }
      defer { for block in noise { free(block) } }
      var search = ReplaySearch(run.choices)
      _ = search.begin()
      let again = self.run(&search)
      if executor.escapes.count > 0 { return (escape, run) }
      guard let again else { return (unsteadiness, run) }
      if !again.isSame(as: run) { return (unsteadiness, run) }
    }
    return nil
  }

  // MARK: Shortening

  /// Looks for each failure under fewer switches than it was seen with, in all schedules without a
  /// preemption, then with one and so on, as far as a budget goes: as many schedules as the exploration
  /// took, but at least 500 and at most 5,000.
  private func shorten() {
    var budget = min(max(schedules, 500), 5_000)
    for bound in 0..<4 where gathering.sightings.contains(where: { $0.execution.switches > bound })
    {
      var search = BoundedSearch(bound: bound)
      while search.begin() {
        guard budget > 0, abandonedTasks <= options.abandonedTasks, !isCancelled(),
          let run = self.run(&search)
        else { return }
        budget -= 1
        gathering.shorten(to: run)
      }
    }
  }

  private func exploration(_ completeness: Completeness) -> Exploration<Outcome> {
    Exploration(
      outcomes: gathering.outcomes.mapValues {
        .init(schedules: $0.count, schedule: $0.best.schedule)
      },
      failures: gathering.sightings.map(failure), schedules: schedules, completeness: completeness,
      abandonedTasks: abandonedTasks)
  }

  /// Runs a sighting's schedule once more, written down.
  private func failure(_ sighting: Gathering<Outcome>.Sighting) -> Failure {
    let recorder = Recorder()
    executor.recorder = recorder
    defer { executor.recorder = nil }
    var search = ReplaySearch(sighting.execution.choices)
    _ = search.begin()
    let again = run(&search)
    // Names and lines are known only now; of several findings that are alike, the one at the same place.
    let finding = sighting.finding
    let place = sighting.execution.findings.filter(finding.isAlike).firstIndex(of: finding) ?? 0
    let matching = again?.findings.filter(finding.isAlike) ?? []
    let message =
      matching.indices.contains(place) ? matching[place].message : sighting.finding.message
    let isSame = again?.hasSamePath(as: sighting.execution) == true
    return Failure(
      kind: sighting.finding.kind, message: message, schedule: sighting.execution.schedule,
      trace: isSame ? recorder.trace : nil, cause: isSame ? recorder.cause : nil,
      schedules: sighting.count)
  }
}
