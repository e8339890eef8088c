import ControlledDispatch
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// What orders uses of memory, so that they are no race.
@Suite(.requiresWatching) struct OrderTests {
  @Test(arguments: Ordered.all.indices) func `what is ordered does not race`(
    _ index: Int
  ) async {
    let program = Ordered.all[index]
    let exploration = await explore { await program.run() }
    #expect(exploration.failures.isEmpty, "\(program.name): \(exploration)")
    #expect(exploration.outcomes.count == 1, "\(program.name): \(exploration)")
    #expect(
      exploration.completeness == .complete(assuming: []),
      "\(program.name): \(exploration)")
  }

  @Test(arguments: Unordered.all.indices) func `what comes later and is not ordered races`(
    _ index: Int
  ) async {
    let (name, bodies) = Unordered.all[index]
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      strands(bodies(Unordered()))
    }
    #expect(!exploration.failures.isEmpty, "\(name): \(exploration)")
    #expect(exploration.failures.allSatisfy { $0.kind == .race }, "\(name): \(exploration)")
  }

  @Test(arguments: ["reference", "string", "array", "dictionary"])
  func `replacing what is no plain value is reported, and the process lives`(
    _ kind: String
  ) async {
    @Sendable func replace(_ replaced: Replaced, _ number: Int) -> Int {
      switch kind {
      case "reference": replaced.replaceNode(number)
      case "string": replaced.replaceText(number)
      case "array": replaced.growList(number)
      default: replaced.growDictionary(number)
      }
    }
    let byTasks = await explore {
      let replaced = Replaced()
      async let first = replace(replaced, 1)
      async let second = replace(replaced, 2)
      return await first + second
    }
    let byStrands = await explore(.reduced(assuming: .controlledSharing)) {
      let replaced = Replaced()
      strands({ _ = replace(replaced, 1) }, { _ = replace(replaced, 2) })
    }
    for (failures, completeness) in [
      (byTasks.failures, byTasks.completeness), (byStrands.failures, byStrands.completeness),
    ] {
      #expect(!failures.isEmpty && failures.allSatisfy { $0.kind == .race }, "\(failures)")
      #expect(failures.allSatisfy { $0.message.contains("memory is at stake") }, "\(failures)")
      #expect("\(completeness)".contains("breaks memory"), "\(completeness)")
    }
  }
}
