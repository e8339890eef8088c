import ControlledDispatch
import Interleaving
import Testing

/// The reduction against every schedule, over random programs of what blocks.
@Suite(unlessSanitized, .timeLimit(.minutes(60))) struct RandomBlockingTests {
  @Test(arguments: BlockingProgram.Theme.allCases)
  func `the reduction gives what every schedule gives`(_ theme: BlockingProgram.Theme) async {
    let seed: UInt64 = number("SEED") ?? 2026
    let count = max(1, (number("PROGRAMS") ?? 14) / BlockingProgram.Theme.allCases.count)
    var generator = SplitMix64(seed: seed)
    var tally = Tally()
    var compared = 0
    while compared < count {
      let program = BlockingProgram(theme, using: &generator)
      let times: [VirtualTime] =
        program.usesTime ? [.passesAtAnyStep, .passesWhenIdle] : [.passesWhenIdle]
      var isCompared = false
      for time in times {
        let every = await Explored(program, .exhaustive, time)
        // Too large: another is drawn.
        guard every.isComplete else {
          tally.tooLarge += 1
          continue
        }
        // Of two schedules nothing is left out.
        guard every.schedules > 2 else { continue }
        let some = await Explored(program, reduced, time)
        let differences = some.differences(from: every)
        #expect(
          differences.isEmpty,
          """
          seed \(seed), \(theme), \(time)
          \(differences.joined(separator: "\n"))
          \(program)
          """)
        guard differences.isEmpty else { return }
        isCompared = true
        tally.count(every)
      }
      if isCompared { compared += 1 }
    }
    print("\(theme): seed \(seed), \(compared) programs (SEED, PROGRAMS); \(tally)")
  }
}

/// What one strategy gives of a program.
private struct Explored {
  let schedules: Int
  let completeness: Completeness
  let outcomes: Set<[[Int]]>
  /// Of messages too many to be shown there may be more kinds: nil.
  let kinds: Set<Failure.Kind>?
  /// What had been said and seen where nothing could go on.
  let stuck: Set<[[Int]]>?

  init(_ program: BlockingProgram, _ strategy: Strategy, _ time: VirtualTime) async {
    let limit = number("SCHEDULES") ?? 300
    let runs = BlockingRuns(program)
    let exploration = await ReportDetail.$wanted.withValue(.outcome) {
      await explore(strategy, limit: limit, time: time) { runs.run() }
    }
    runs.close()
    schedules = exploration.schedules
    completeness = exploration.completeness
    outcomes = Set(exploration.outcomes.keys)
    let kinds = Set(exploration.failures.map(\.kind))
    self.kinds = exploration.failures.count < 20 ? kinds : nil
    // How far the others are when one traps, or time is up, is not the same within a class.
    let ends: Set<Failure.Kind> = [.deadlock, .race, .leak]
    stuck = kinds.isSubset(of: ends) ? runs.unfinished : nil
  }

  var isComplete: Bool { if case .complete = completeness { true } else { false } }

  func differences(from every: Explored) -> [String] {
    var differences: [String] = []
    func compare<Value: Hashable>(_ name: String, _ some: Set<Value>?, _ all: Set<Value>?) {
      guard let some, let all, some != all else { return }
      differences.append("\(name): missing \(all.subtracting(some)), new \(some.subtracting(all))")
    }
    if !isComplete { differences.append("\(completeness)") }
    if schedules > every.schedules {
      differences.append("\(schedules) schedules where there are \(every.schedules)")
    }
    compare("outcomes", outcomes, every.outcomes)
    compare("failures", kinds, every.kinds)
    compare("said before a deadlock", stuck, every.stuck)
    return differences
  }
}

/// How sharp the programs were.
private struct Tally: CustomStringConvertible {
  var tooLarge = 0
  private var explorations = 0
  private var schedules = 0
  private var several = 0
  private var kinds: [Failure.Kind: Int] = [:]

  mutating func count(_ every: Explored) {
    explorations += 1
    schedules += every.schedules
    if every.outcomes.count > 1 { several += 1 }
    for kind in every.kinds ?? [] { kinds[kind, default: 0] += 1 }
  }

  var description: String {
    let kinds = kinds.map { "\($1) with a \($0)" }.sorted().joined(separator: ", ")
    return "\(explorations) explorations of \(schedules) schedules, \(several) with several "
      + "outcomes; \(kinds); \(tooLarge) too large"
  }
}
