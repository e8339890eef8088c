import Interleaving
import InterleavingTesting
import Testing

/// Code as it is written for Dispatch and operations, explored through aliases of types alone.
@Suite(.requiresWatching) struct OldProgramTests {
  @Test(arguments: OldProgram.all) func `a wrong program shows the bug that is known of its kind`(
    _ program: OldProgram
  ) async {
    let exploration = await program.explore(false)
    #expect(
      Set(exploration.failures.map(\.kind)) == Set(program.failure.map { [$0.kind] } ?? []),
      "\(exploration)")
    if let failure = program.failure {
      #expect(
        exploration.failures.contains { $0.message.contains(failure.words) }, "\(exploration)")
    }
    if let outcomes = program.wrongOutcomes {
      #expect(Set(exploration.outcomes.keys) == outcomes, "\(exploration)")
      #expect(exploration.isComplete, "\(exploration)")
    } else {
      #expect("\(exploration.completeness)".contains("breaks memory"), "\(exploration)")
    }
  }

  @Test(arguments: OldProgram.all) func `a right program has no failure and all is known of it`(
    _ program: OldProgram
  ) async {
    let exploration = await program.explore(true)
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == program.rightOutcomes, "\(exploration)")
    #expect(exploration.completeness == .complete(assuming: []), "\(exploration)")
  }
}
