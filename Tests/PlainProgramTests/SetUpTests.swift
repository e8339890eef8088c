import ControlledDispatch
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// What is set up once in a process, by code that waits for others.
@Suite(.requiresWatching, .serialized) struct SetUpTests {
  private let reduced = Strategy.reduced(assuming: .controlledSharing)

  @Test func `who asks for what another sets up waits until it is there`() async {
    let exploration = await explore(reduced) { SetUps.askForFirst() }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [14])
    #expect(exploration.isComplete, "\(exploration)")
  }

  @Test func `where it is set up in each schedule, nothing is left out, and that is said`() async {
    let exploration = await explore(reduced, renewsStatics: true) { SetUps.askAtOnce() }
    #expect(exploration.isComplete && exploration.failures.isEmpty, "\(exploration)")
    #expect(
      exploration.advice
        == "Every schedule is run, since a strand meets the static or global “renewed” while another "
        + "holds it")
  }

  @Test func `what only some schedule sets up is named`() async throws {
    let first = await explore(reduced) { SetUps.askLate() }
    let failure = try #require(first.failures.first)
    #expect(failure.kind == .nondeterminism)
    #expect(
      failure.message.contains("only in one of them the static or global “late”"),
      "\(failure)")
    // It is there from now on.
    let second = await explore(reduced) { SetUps.askLate() }
    #expect(second.failures.isEmpty && second.isComplete, "\(second)")
  }

  @Test func `a set-up that waits for who asks for it is a deadlock that names it`() async throws {
    let exploration = await explore(reduced) { SetUps.askForCircular() }
    let failure = try #require(exploration.failures.first)
    #expect(failure.kind == .deadlock, "\(failure)")
    #expect(
      failure.message.contains("waits for the static or global “circular”, held by scenario"),
      "\(failure)")
    #expect(exploration.completeness == .uncontrolled)
  }
}
