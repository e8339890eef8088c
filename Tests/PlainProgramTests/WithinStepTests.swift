import Foundation
import PlainPrograms
import Testing

@testable import Interleaving

/// Whatever another task can see may happen before or after.
@Suite(.enabled(if: !SwiftRuntime.isSanitized), .timeLimit(.minutes(30))) struct WithinStepTests {
  static let strategies: [Strategy] = [.exhaustive, .reduced(assuming: .actorIsolation)]

  @Test(arguments: StepProgram.all, strategies)
  func `every outcome is explored`(program: StepProgram, strategy: Strategy) async {
    let exploration = await explore(strategy, steps: 100) { await program.run() }
    #expect(Set(exploration.outcomes.keys) == program.outcomes, "\(exploration)")
    if program.name == "what follows a resume" { return }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(exploration.completeness == .complete(assuming: []))
    if strategy.isReduced { #expect(exploration.schedules < 100) }
  }

  @Test(arguments: [StepProgram.hopping] + StepProgram.cancelling)
  func `code that cancels is reduced, and each outcome can be replayed`(
    program: StepProgram
  ) async throws {
    let exploration = await explore(.reduced(assuming: .actorIsolation), limit: 20_000) {
      await program.run()
    }
    #expect(Set(exploration.outcomes.keys) == program.outcomes, "\(exploration)")
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(exploration.completeness == .complete(assuming: []))
    #expect(exploration.schedules <= (try #require(program.most)))
    for (outcome, occurrence) in exploration.outcomes {
      let replayed = try await replay("\(occurrence.schedule)") { await program.run() }
      #expect(Set(replayed.outcomes.keys) == [outcome] && replayed.completeness == .replayed)
    }
  }

  @Test(arguments: StepProgram.all + StepProgram.cancelling)
  func `what real threads show is among them`(program: StepProgram) async {
    let wanted = ProcessInfo.processInfo.environment["REAL_RUNS"].flatMap(Int.init)
    var seen: Set<String> = []
    for _ in 0..<(wanted ?? 200) { seen.insert(await program.run()) }
    #expect(seen.isSubset(of: program.outcomes))
    let unseen = program.outcomes.subtracting(seen)
    if wanted != nil, !unseen.isEmpty { print("\(program): not seen: \(unseen.sorted())") }
  }

  @Test(arguments: StepProgram.underLocks, strategies)
  func `what is done under a lock blocks nobody`(program: StepProgram, strategy: Strategy) async {
    let exploration = await explore(strategy) { await program.run() }
    #expect(Set(exploration.outcomes.keys).isSubset(of: program.outcomes), "\(exploration)")
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(exploration.completeness == .complete(assuming: []))
  }

  @Test(arguments: StepProgram.cancelUnderLock, strategies)
  func `a resume under the lock of a cancellation handler is a deadlock by name`(
    program: StepProgram, strategy: Strategy
  ) async {
    let exploration = await explore(strategy) { await program.run() }
    #expect(exploration.completeness == .complete(assuming: []))
    if program.name.hasPrefix("resumes under") {
      #expect(exploration.failures.map(\.kind) == [.deadlock], "\(exploration)")
      #expect(
        exploration.failures.first?.message.contains("the status of task 1, held by") == true)
    } else {
      #expect(exploration.failures.isEmpty, "\(exploration)")
    }
  }
}
