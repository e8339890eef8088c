/// What one execution came to.
struct Execution<Outcome: Hashable> {
  var outcome: Outcome?
  var findings: [Finding] = []
  var choices: [Int]
  var digest = Digest()
  var switches = 0

  var schedule: Schedule {
    var digest = digest
    if let outcome { digest.add(canonicalText(of: outcome)) }
    return Schedule(choices: choices, check: digest.folded)
  }

  /// Whether the two are one and the same, as far as can be seen.
  func isSame(as other: Self) -> Bool {
    hasSamePath(as: other) && outcome == other.outcome
  }

  func hasSamePath(as other: Self) -> Bool {
    choices == other.choices && digest == other.digest
  }
}

extension Execution {
  /// What the executor has just run, to its end or to where it stopped.
  init(outcome: Outcome? = nil, findings: [Finding] = [], of executor: ScenarioExecutor) {
    self.init(
      outcome: outcome, findings: findings, choices: executor.choices, digest: executor.digest,
      switches: executor.switches)
  }
}

/// The outcomes and findings of an exploration, each with the execution of the fewest switches.
struct Gathering<Outcome: Hashable> {
  /// A failure in the making.
  struct Sighting {
    let finding: Finding
    var execution: Execution<Outcome>
    var count = 1

    fileprivate mutating func shorten(to other: Execution<Outcome>) {
      if other.switches < execution.switches { execution = other }
    }
  }

  private(set) var outcomes: [Outcome: (count: Int, best: Execution<Outcome>)] = [:]
  private(set) var sightings: [Sighting] = []

  mutating func add(_ execution: Execution<Outcome>) {
    if let outcome = execution.outcome {
      let known = outcomes[outcome] ?? (0, execution)
      let best = known.best.switches <= execution.switches ? known.best : execution
      outcomes[outcome] = (known.count + 1, best)
    }
    for finding in execution.findings { add(finding, in: execution) }
  }

  /// Adds a finding; of those that differ the first twenty are kept.
  mutating func add(_ finding: Finding, in execution: Execution<Outcome>) {
    if let index = index(of: finding) {
      sightings[index].count += 1
      sightings[index].shorten(to: execution)
    } else if sightings.count < 20 {
      sightings.append(Sighting(finding: finding, execution: execution))
    }
  }

  /// Takes an execution that is not one of the search's instead of longer ones with the same outcome
  /// or finding.
  mutating func shorten(to execution: Execution<Outcome>) {
    if let outcome = execution.outcome, let known = outcomes[outcome],
      execution.switches < known.best.switches
    {
      outcomes[outcome] = (known.count, execution)
    }
    for finding in execution.findings {
      if let index = index(of: finding) { sightings[index].shorten(to: execution) }
    }
  }

  private func index(of finding: Finding) -> Int? {
    sightings.firstIndex { $0.finding == finding }
  }
}
