/// One run with what its scenario came to.
struct Run<Outcome: Hashable> {
  let report: Report
  /// Whether whatever nobody sees was done as soon as it could be: then its choices are others.
  var isReduced = false
  var outcome: Outcome?
  var findings: [Finding] = []

  var schedule: Schedule {
    var digest = report.digest
    if let outcome { digest.add(canonicalText(of: outcome)) }
    return Schedule(choices: report.choices, check: digest.folded)
  }

  var switches: Int { report.switches }

  /// Whether the two are one and the same, as far as can be seen.
  func isSame(as other: Self) -> Bool {
    hasSamePath(as: other) && outcome == other.outcome
  }

  func hasSamePath(as other: Self) -> Bool {
    report.choices == other.report.choices && report.digest == other.report.digest
  }
}

/// The outcomes and findings of an exploration, each with the run of the fewest switches.
///
/// Each run of the search is added. A finding that is met again is counted, and keeps the shorter run. What runs
/// only to make them shorter is not counted.
struct Gathering<Outcome: Hashable> {
  /// A failure in the making.
  struct Sighting {
    fileprivate(set) var finding: Finding
    var run: Run<Outcome>
    var count = 1

    fileprivate mutating func shorten(to other: Run<Outcome>, with alike: Finding) {
      if other.switches < run.switches { (run, finding) = (other, alike) }
    }
  }

  private(set) var outcomes: [Outcome: (count: Int, best: Run<Outcome>)] = [:]
  private(set) var sightings: [Sighting] = []

  mutating func add(_ run: Run<Outcome>) {
    if let outcome = run.outcome {
      let known = outcomes[outcome] ?? (0, run)
      let best = known.best.switches <= run.switches ? known.best : run
      outcomes[outcome] = (known.count + 1, best)
    }
    for finding in run.findings { add(finding, in: run) }
  }

  /// Adds a finding; of those that differ the first twenty are kept.
  mutating func add(_ finding: Finding, in run: Run<Outcome>) {
    if let index = index(of: finding) {
      sightings[index].count += 1
      sightings[index].shorten(to: run, with: finding)
    } else if sightings.count < 20 {
      sightings.append(Sighting(finding: finding, run: run))
    }
  }

  /// Takes a run that is not one of the search's instead of longer ones with the same outcome
  /// or finding.
  mutating func shorten(to run: Run<Outcome>) {
    if let outcome = run.outcome, let known = outcomes[outcome],
      run.switches < known.best.switches
    {
      outcomes[outcome] = (known.count, run)
    }
    for finding in run.findings {
      if let index = index(of: finding) { sightings[index].shorten(to: run, with: finding) }
    }
  }

  private func index(of finding: Finding) -> Int? {
    sightings.firstIndex { $0.finding.isAlike(finding) }
  }
}
