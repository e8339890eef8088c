import Interleaving
import Testing

/// One program of ``OldPrograms``, which is written for Dispatch and Foundation, as it is wrong and as it is right.
struct OldProgram: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What goes wrong in the wrong one, and words of the message; nil if it shows in the outcome only.
  let failure: (kind: Failure.Kind, words: String)?
  /// The outcomes of the wrong one; nil where running them all would break memory.
  let wrongOutcomes: Set<String>?
  let rightOutcomes: Set<String>
  let explore: @Sendable (_ isRight: Bool) async -> Exploration<String>

  init(
    _ name: String, _ failure: (kind: Failure.Kind, words: String)? = nil, wrong: Set<String>?,
    right: Set<String>, time: VirtualTime = .passesAtAnyStep,
    run: @escaping @Sendable (_ isRight: Bool) -> some CustomStringConvertible & Sendable
  ) {
    testDescription = name
    self.failure = failure
    wrongOutcomes = wrong
    rightOutcomes = right
    explore = { isRight in
      await Interleaving.explore(.reduced(assuming: .controlledSharing), time: time) {
        run(isRight).description
      }
    }
  }

  init(
    _ name: String, _ failure: (kind: Failure.Kind, words: String)? = nil, wrong: Set<String>?,
    right: Set<String>, time: VirtualTime = .passesAtAnyStep,
    run: @escaping @Sendable (_ isRight: Bool) -> Int?
  ) {
    self.init(name, failure, wrong: wrong, right: right, time: time) { isRight in
      run(isRight).map(String.init) ?? "nothing"
    }
  }
}
