import Foundation

/// Runs a scenario under one schedule after another and gathers what it finds.
///
/// It knows executions only by their reports. The first schedule is run a few times, to see whether the runs are
/// alike. Then a search says which schedules; each report is judged with the scenario's own result, and told to the
/// search. At the end each failure is looked for under fewer switches, and its schedule is run once more, written
/// down: only there are findings put into words.
final class Explorer<Outcome: Hashable & Sendable> {
  typealias Scenario = @Sendable () async throws -> Outcome

  private typealias Run = Interleaving.Run<Outcome>

  private let options: Options
  private let scenario: Scenario
  private let isAllowed: (Outcome) -> Bool
  private let isCancelled: () -> Bool
  let executor: ScenarioExecutor

  private var schedules = 0
  /// How far a search has come that was cut off, if that is known.
  private var extent: (share: Double, unchanged: Int)?
  private var gathering = Gathering<Outcome>()
  private var abandonedTasks = 0
  private var wasCutOff = false
  /// Whether stand-ins for what blocks were used.
  private var usesStandIns = false
  /// Whether memory may be broken: nothing more is run then.
  private var isDamaged = false
  /// Whether that is so, or a step does not come to its end: nothing more is explored then.
  private var isBeyondRepair = false
  /// Whether tasks have tried locks.
  private var hasTriedLocks = false
  /// What executions demanded of an optimal reduction, and what it does.
  private var demand = Report.Demand()
  private var supply = Report.Orders.classes
  /// A lock that a strand has locked to read once more, beside a writer; the first that was met.
  private var lockReadAgain: String?
  /// What the reduction's assumption does not allow, in words; the first that was met.
  private var brokenAssumption: String?

  init(
    _ options: Options, isAllowed: @escaping (Outcome) -> Bool,
    isCancelled: @escaping () -> Bool, scenario: @escaping Scenario
  ) {
    self.options = options
    self.scenario = scenario
    self.isAllowed = isAllowed
    self.isCancelled = isCancelled
    executor = ScenarioExecutor(options)
    _ = executor.execution.races.makePoints(options.points)
  }

  // MARK: The two ways to run

  /// Runs every schedule of the strategy, on the calling thread.
  func explore() -> Exploration<Outcome> {
    withExecutor {
      var strategy = possible(options.strategy)
      executor.execution.isReduced = strategy.isReduced
      var completeness: Completeness
      if let unsteady = warmUp() {
        gathering.add(unsteady.finding, in: unsteady.run)
        completeness = .uncontrolled
      } else {
        completeness = drive(strategy.makeSearch())
        while !isBeyondRepair, let needed = nextRound(strategy) {
          strategy = needed
          executor.execution.isReduced = strategy.isReduced
          gathering = Gathering()
          schedules = 0
          completeness = drive(strategy.makeSearch())
        }
      }
      if case .complete = completeness {
        completeness = .complete(assuming: assumptions(of: strategy))
        if strategy.isReduced, let brokenAssumption {
          completeness = .assumptionBroken(brokenAssumption)
        }
      }
      if !completeness.isCutShort, let variable = executor.execution.races.variableAtStake {
        completeness = .unexploredRace(of: variable)
      }
      if case .complete = completeness, case .preemptionBounded(let bound) = strategy {
        completeness = .bounded(preemptions: bound)
      }
      if !completeness.isCutShort, let missing = executor.missingControl {
        completeness = .partialControl(missing)
      }
      if options.shortens, !isBeyondRepair, strategy != .exhaustive || completeness.isCutShort {
        shorten()
      }
      return exploration(completeness)
    }
  }

  /// A strategy, or what is run in its place: without knowing what a step touches, no two commute.
  private func possible(_ strategy: Strategy) -> Strategy {
    let isKnown = executor.execution.seesTasks && options.seesOrder
    return strategy.isReduced && !isKnown ? .exhaustive : strategy
  }

  /// What must hold for no schedule to be missing.
  private func assumptions(of strategy: Strategy) -> [Strategy.Assumption] {
    let code = executor.execution.races.watchedCode
    var assumptions: [Strategy.Assumption] = []
    if !code.isMet {
      if case .reduced(let assumption) = strategy, !usesStandIns {
        assumptions.append(assumption)
      } else {
        assumptions.append(usesStandIns ? .controlledSharing : .actorIsolation)
      }
    } else if !code.unwatchedModules.isEmpty {
      // Races are looked for in what is watched.
      assumptions.append(.unwatchedSharing(modules: code.unwatchedModules))
    }
    if let lockReadAgain { assumptions.append(.readersFirst(lock: lockReadAgain)) }
    return assumptions
  }

  /// What is to be run anew, and how: with more scheduling points, or with more orders; nil if all was run.
  private func nextRound(_ strategy: Strategy) -> Strategy? {
    if executor.execution.races.makePoints() { return strategy }
    if hasTriedLocks, !executor.execution.triesLocks {
      executor.execution.triesLocks = true
      return strategy
    }
    guard strategy.isReduced, !demand.orders.isSubset(of: supply) else { return nil }
    supply = demand.orders
    executor.execution.supply = supply
    return supply == .ofSchedules ? .exhaustive : strategy
  }

  /// Runs one schedule, on the calling thread.
  func replay(_ schedule: Schedule) -> Exploration<Outcome> {
    withExecutor {
      executor.execution.races.watchFromNow()
      var run: Run?
      // A schedule does not say whether a reduction wrote it, nor how many orders that told apart.
      let ways: [(isReduced: Bool, supply: Report.Orders)] = [
        (false, .classes), (true, .classes), (true, .ofAwaiting),
      ]
      for way in ways where run?.schedule != schedule && !isBeyondRepair {
        executor.execution.isReduced = way.isReduced
        executor.execution.supply = way.supply
        run = attempt(schedule)
        // What races shows in the runs: its places become points, as they did when the schedule was written.
        while run?.schedule != schedule, executor.execution.races.makePoints() {
          run = attempt(schedule)
        }
        if run?.schedule != schedule, hasTriedLocks {
          executor.execution.triesLocks = true
          run = attempt(schedule)
        }
      }
      if run?.schedule != schedule, executor.execution.races.makesPoints {
        run = runFoundInRounds(schedule) ?? run
      }
      if let run {
        schedules = 1
        gathering.add(run)
        if run.schedule != schedule {
          gathering.add(.anotherRun(of: schedule, run.schedule), in: run)
        }
        abandonedTasks = run.report.unfinished.count
      } else {
        let report = Report(choices: schedule.choices)
        gathering.add(.anotherRun(of: schedule, nil), in: Run(report: report))
      }
      return exploration(run?.schedule == schedule ? .replayed : .uncontrolled)
    }
  }

  private func attempt(_ schedule: Schedule) -> Run? {
    var search = ReplaySearch(schedule.choices)
    _ = search.begin()
    return try? run(&search)
  }

  /// Explores as an exploration does, and runs the schedule in each round: by then there are the scheduling points that it
  /// was written with, which one schedule alone need not show.
  ///
  /// - Returns: The schedule's run; nil if it was not found.
  private func runFoundInRounds(_ schedule: Schedule) -> Run? {
    defer { (gathering, schedules, wasCutOff) = (Gathering(), 0, false) }
    supply = .classes
    executor.execution.supply = supply
    var next: Strategy? = possible(.reduced(assuming: .actorIsolation))
    while let strategy = next, !isBeyondRepair {
      for isReduced in [false, true] {
        executor.execution.isReduced = isReduced
        if let run = attempt(schedule), run.schedule == schedule { return run }
      }
      executor.execution.isReduced = strategy.isReduced
      _ = drive(strategy.makeSearch())
      next = nextRound(strategy)
    }
    return nil
  }

  private func withExecutor<R>(_ body: () -> R) -> R {
    executor.takeSeat()
    defer {
      executor.finish()
      SwiftRuntime.setReceiver(nil)
    }
    return body()
  }

  // MARK: One schedule after another

  private func drive(_ search: any Search) -> Completeness {
    func drive<S: Search>(_ search: S) -> Completeness {
      var search = search
      while search.begin() {
        if schedules == options.schedules {
          extent = search.extent
          return search.isExhaustive ? .scheduleLimit(schedules) : .sampled
        }
        if isCancelled() { return .cancelled }
        let run: Run
        do throws(Report) {
          run = try self.run(&search)
        } catch {
          // A reduction that meets what it cannot foresee gives way to one that foresees less.
          // Where tasks that were woken have steps of their own, who cancels them may hold their locks at any of these; and
          // where each such lock is known, and still a strand cannot go on that was to, nothing is left out.
          if search.needsAccesses, supply.contains(.ofStatuses) {
            demand.addAll("a strand cannot go on where the search sends it")
          } else if search.needsAccesses, supply.contains(.ofAwaiting) {
            demand.add(.ofStatuses)
          }
          if search.needsAccesses, !demand.orders.isSubset(of: supply) { return .uncontrolled }
          let finding: Finding = error.hasEscaped ? .escape : .unsteadiness(setUp: error.setUp)
          gathering.add(finding, in: Run(report: error))
          return .uncontrolled
        }
        search.finish(run.report.blocked)
        if search.needsOrderOfBookkeeping { demand.add(.ofBookkeeping) }
        if !search.isRedundant {
          schedules += 1
          gathering.add(run)
        }
        if isBeyondRepair { return .uncontrolled }
        // All is run anew.
        if search.needsAccesses, !demand.orders.isSubset(of: supply) { return .uncontrolled }
        if schedules & (schedules - 1) == 0, let unsteady = repeatRun(run) {
          gathering.add(unsteady.finding, in: unsteady.run)
          return .uncontrolled
        }
        if abandonedTasks > options.abandonedTasks {
          return .abandonedTaskLimit(options.abandonedTasks)
        }
        if run.report.hasEscaped { return .uncontrolled }
        if search.needsAccesses, executor.execution.races.hasNewPlaces { return .uncontrolled }
        if executor.execution.races.lifetimes.hasNews { return .uncontrolled }
        if options.stopsAtFailure, !gathering.sightings.isEmpty { return .stoppedAtFailure }
      }
      return wasCutOff ? .stepLimit(options.steps) : .complete(assuming: [])
    }
    return drive(search)
  }

  /// Runs the scenario once.
  ///
  /// - Throws: The report if a scheduling point was not the one that it had been before.
  private func run<S: Search>(
    _ search: inout S, isRecorded: Bool = false
  ) throws(Report) -> Run {
    let result = Result()
    let scenario = self.scenario
    let report = executor.execute(&search, isRecorded: isRecorded) { await result.set(scenario) }
    demand.add(report.demand)
    if report.hasDiverged { throw report }
    abandonedTasks += report.unfinished.count
    usesStandIns = usesStandIns || report.usesStandIns
    hasTriedLocks = hasTriedLocks || report.hasTriedLocks && report.hasUnlockedAtOnce
    lockReadAgain = lockReadAgain ?? report.lockReadAgain
    isDamaged = isDamaged || report.isDamaged
    isBeyondRepair = isBeyondRepair || report.isStuck || isDamaged
    if let wake = report.unorderedWake, brokenAssumption == nil {
      brokenAssumption = Wording(names: report.names)
        .message(unorderedWakeOf: wake.woken, by: wake.waker)
    }
    return judge(report, result.value)
  }

  /// Adds what the scenario's own result says to what was found on the way.
  private func judge(_ report: Report, _ result: Swift.Result<Outcome, any Error>?) -> Run {
    var run = Run(
      report: report, isReduced: executor.execution.isReduced, findings: report.findings)
    if report.hasEscaped { run.findings.append(.escape) }
    switch result {
    case _ where report.isCutOff:
      wasCutOff = true
      // What waits for a strand that has trapped would not have come so far.
      if !report.hasTrapped { run.findings.append(.livelock(steps: options.steps)) }
    case nil where report.hasTrapped || report.isStuck: break
    case nil:
      run.findings.append(report.cycle.map { .cycle($0) } ?? .standstill(report.unfinished))
    case .success(let value):
      run.outcome = value
      if !isAllowed(value) { run.findings.append(.outcome(canonicalText(of: value))) }
    case .failure(let error):
      run.findings.append(.error("\(error)"))
    }
    if result != nil, !report.isCutOff, !report.hasTrapped, !report.isDamaged,
      !report.unfinished.isEmpty
    {
      run.findings.append(.leak(report.unfinished))
    }
    for race in report.races where !run.findings.contains(.race(race)) {
      run.findings.append(.race(race))
    }
    return run
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

  /// Runs the first schedule four times, so that what an exploration sets up once is set up, and compares. One of
  /// more than a thousand steps is run twice: then there is more in it to compare, and each run takes long.
  private func warmUp() -> (finding: Finding, run: Run)? {
    func runFirst() -> Run? {
      var search = ReplaySearch([])
      _ = search.begin()
      return try? run(&search)
    }
    guard var first = runFirst() else { return nil }
    // What lets others go on while it is set up leads to other choices once it is there.
    if first.report.setUp != nil, !isBeyondRepair, let next = runFirst() { first = next }
    wasCutOff = false
    if first.report.hasEscaped { return (.escape, first) }
    if isBeyondRepair { return (first.findings.last!, first) }
    return repeatRun(first, times: executor.execution.steps > 1_000 ? 1 : 3)
  }

  /// Runs the schedule of a run once more.
  ///
  /// - Parameter disturbance: In how many other states the heap was before.
  private func runAgain(
    _ run: Run, isRecorded: Bool = false, disturbance: Int = 0
  ) throws(Report) -> Run {
    executor.disturbsHeap = disturbance
    defer { executor.disturbsHeap = 0 }
    var search = ReplaySearch(run.report.choices)
    _ = search.begin()
    executor.execution.isReduced = run.isReduced
    return try self.run(&search, isRecorded: isRecorded)
  }

  /// Runs a schedule again, with the heap in another state; returns a finding if the run differs.
  private func repeatRun(_ run: Run, times: Int = 1) -> (finding: Finding, run: Run)? {
    for time in 1...times {
      do throws(Report) {
        let again = try runAgain(run, disturbance: time)
        if again.report.hasEscaped { return (.escape, run) }
        if again.report.isStuck || again.report.isDamaged { return (again.findings.last!, again) }
        if !again.isSame(as: run) {
          return (.unsteadiness(setUp: run.report.setUp ?? again.report.setUp), run)
        }
      } catch {
        return (error.hasEscaped ? .escape : .unsteadiness(setUp: error.setUp), run)
      }
    }
    return nil
  }

  // MARK: Shortening

  /// Looks for each failure under fewer switches than it was seen with, in all schedules without a
  /// preemption, then with one and so on, as far as a budget goes: as many schedules as the exploration
  /// took, but at least 500 and at most 5,000.
  private func shorten() {
    var budget = min(max(schedules, 500), 5_000)
    executor.execution.isReduced = false
    var search = BoundedSearch(bound: 3)
    while search.begin(),
      gathering.sightings.contains(where: { $0.run.switches > search.round })
    {
      guard budget > 0, abandonedTasks <= options.abandonedTasks, !isCancelled(),
        let run = try? self.run(&search), !isBeyondRepair
      else { return }
      budget -= 1
      gathering.shorten(to: run)
    }
  }

  private func exploration(_ completeness: Completeness) -> Exploration<Outcome> {
    Exploration(
      outcomes: gathering.outcomes.mapValues {
        .init(schedules: $0.count, schedule: $0.best.schedule)
      },
      failures: gathering.sightings.map(failure), schedules: schedules, completeness: completeness,
      abandonedTasks: abandonedTasks, advice: advice(completeness))
  }

  /// How far an exploration came that was cut off at the limit on schedules, and what to try; and why a reduction has left
  /// out nothing.
  private func advice(_ completeness: Completeness) -> String? {
    let reason =
      options.strategy.isReduced && supply == .ofSchedules
      ? demand.reason.map { "Every schedule is run, since \($0)" } : nil
    let sentences = [adviceAtLimit(completeness), reason].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: ". ")
  }

  private func adviceAtLimit(_ completeness: Completeness) -> String? {
    guard case .scheduleLimit = completeness else { return nil }
    let isReduced = options.strategy.isReduced
    let ways =
      (isReduced
        ? "" : ".reduced(assuming: .actorIsolation), which leaves out what comes to the same, or ")
      + ".preemptionBounded(2), which begins with the simplest orders"
    guard let extent else { return "Try \(ways); or make the scenario smaller" }
    let percent = 100 * extent.share
    let share =
      percent < 0.01
      ? "less than 0.01 %" : "some \(percent.formatted(.number.precision(.significantDigits(1)))) %"
    return
      "That is \(share) of all, in which the first \(extent.unchanged) choices were never others. Try \(ways); or "
      + "make the scenario smaller"
  }

  /// Runs a schedule that gives different runs a few times, written down, and says where they part.
  private func unsteadiness(_ finding: Finding, of run: Run, _ count: Int) -> Failure {
    var runs: [(trace: Trace, outcome: Outcome?)] = []
    for disturbance in 0...3 where !isBeyondRepair {
      do throws(Report) {
        let again = try runAgain(run, isRecorded: true, disturbance: disturbance)
        if let trace = again.report.recorder?.trace { runs.append((trace, again.outcome)) }
      } catch {
        if let trace = error.recorder?.trace { runs.append((trace, nil)) }
      }
    }
    var message = Wording(names: executor.execution.strands.paths).message(finding)
    if let first = runs.first {
      let part = runs.dropFirst().lazy.compactMap { first.trace.whereItParts(from: $0.trace) }.first
      let other = runs.first { $0.outcome != first.outcome }?.outcome
      if let part {
        message += ". The runs part in step \(part.step): \(part.one); and \(part.other)"
      } else if let one = first.outcome, let other {
        message += ". One run gives \(canonicalText(of: one)), another \(canonicalText(of: other))"
      }
    }
    return Failure(
      kind: finding.kind, message: message, schedule: run.schedule, trace: runs.first?.trace,
      cause: nil, schedules: count)
  }

  /// Runs a sighting's schedule once more, written down.
  private func failure(_ sighting: Gathering<Outcome>.Sighting) -> Failure {
    let (finding, run) = (sighting.finding, sighting.run)
    if case .unsteadiness = finding { return unsteadiness(finding, of: run, sighting.count) }
    guard !isDamaged else {
      return Failure(
        kind: finding.kind, message: Wording(names: run.report.names).message(finding),
        schedule: run.schedule, trace: nil, cause: nil, schedules: sighting.count)
    }
    let again = try? runAgain(run, isRecorded: true)
    let recorder = again?.report.recorder
    let isSame = again?.hasSamePath(as: run) == true
    var wording = Wording(names: executor.execution.strands.paths)
    if let again, let recorder, isSame || again.findings.contains(finding) {
      wording = Wording(names: again.report.names, lines: recorder.sources)
    }
    return Failure(
      kind: finding.kind, message: wording.message(finding), schedule: run.schedule,
      trace: isSame ? recorder?.trace : nil, cause: isSame ? recorder?.cause?.sentence : nil,
      schedules: sighting.count)
  }
}
