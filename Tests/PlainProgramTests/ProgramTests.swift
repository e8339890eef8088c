import ControlledDispatch
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// One program of ``PlainPrograms``, which knows nothing of the explorer, as it is wrong and as it is right.
struct Program: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The variables that race in the wrong one.
  var races: Set<String> = []
  /// The outcomes of the wrong one; nil where running them all would break memory.
  var wrongOutcomes: Set<String>?
  let rightOutcomes: Set<String>
  var hasTasks = false
  var deadlocks = false
  let explore: @Sendable (_ isRight: Bool) async -> Exploration<String>

  init(
    _ name: String, races: Set<String> = [], wrong: Set<String>?, right: Set<String>,
    hasTasks: Bool = false, deadlocks: Bool = false,
    run: @escaping @Sendable (_ isRight: Bool) async -> some CustomStringConvertible & Sendable
  ) {
    testDescription = name
    self.races = races
    wrongOutcomes = wrong
    rightOutcomes = right
    self.hasTasks = hasTasks
    self.deadlocks = deadlocks
    explore = { isRight in
      await Interleaving.explore(hasTasks ? .exhaustive : .reduced(assuming: .controlledSharing)) {
        await run(isRight).description
      }
    }
  }
}

@Suite(.requiresWatching) struct ProgramTests {
  @Test(arguments: Program.all) func `a wrong program races where it does`(
    _ program: Program
  ) async {
    let exploration = await program.explore(false)
    let races = exploration.failures.filter { $0.kind == .race }
    #expect(Set(races.map(\.variable)) == program.races, "\(exploration)")
    #expect(
      exploration.failures.contains { $0.kind == .deadlock } == program.deadlocks, "\(exploration)")
    #expect(exploration.failures.allSatisfy { [.race, .deadlock].contains($0.kind) })
    if let outcomes = program.wrongOutcomes {
      #expect(Set(exploration.outcomes.keys) == outcomes, "\(exploration)")
      #expect(exploration.isComplete, "\(exploration)")
    } else {
      #expect("\(exploration.completeness)".contains("breaks memory"), "\(exploration)")
      #expect(races.contains { $0.message.contains("memory is at stake") }, "\(exploration)")
    }
  }

  @Test(arguments: Program.all) func `a right program has no failure and all is known of it`(
    _ program: Program
  ) async {
    let exploration = await program.explore(true)
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == program.rightOutcomes, "\(exploration)")
    #expect(
      exploration.completeness
        == .complete(assuming: []),
      "\(exploration)")
  }
}

extension Failure {
  /// The variable of a race: "A writes value (Counter.swift:7) and …".
  var variable: String {
    let words = message.split(separator: " ")
    guard let verb = words.firstIndex(where: { $0 == "writes" || $0 == "reads" }) else {
      return message
    }
    return words[(verb + 1)...].prefix { !$0.hasPrefix("(") }.joined(separator: " ")
  }
}
