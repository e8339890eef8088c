import ChapterTesting
import Synchronization
import Testing
import Workbook

@testable import Deadlocks

@Suite(.timeLimit(.minutes(30))) struct DeadlocksTests {
  @Test(arguments: Chapter.deadlocks.demos.map(\.name))
  func `what is claimed holds`(_ name: String) async throws {
    try await Chapter.deadlocks.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.deadlocks.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.deadlocks.expectOutcomes(of: name)
  }

  @Test(arguments: subjects.map(\.name))
  func `the detector says what is declared, and nothing of what is right`(
    _ name: String
  ) async throws {
    try await Chapter.deadlocks.expectVerdicts(of: name)
  }

  @Test(arguments: subjects.map(\.name))
  func `cures are right where A and B run at once`(_ name: String) async throws {
    try await Chapter.deadlocks.expectCures(of: name)
  }

  @Test func `a cycle of Mutexes ends with a message that calls it recursive`() async throws {
    let report = try await end(of: .twoLocks, with: "fatal error")
    #expect(report.errors.contains { $0.hasSuffix("Fatal error: Recursive call to lock Mutex") })
  }

  @Test func `a queue that waits for itself ends without a word`() async throws {
    let report = try await end(of: .ownQueue, with: "trap")
    #expect(report.errors.isEmpty)
  }

  /// Runs what of a subject is declared to end so.
  private func end(of subject: Subject, with ending: String) async throws -> HazardReport {
    let demo = try #require(Chapter.deadlocks.demo(subject.name))
    let side = try #require(
      demo.sides.first { side in
        side.outcomes.contains { $0.kind == .surprising && $0.value == ending }
      })
    let report = try await #require(side.hazard).run()
    #expect(report.outcome == ending)
    return report
  }

  // MARK: Where there is no cycle

  @Test func `an import ends, whatever is in it`() async {
    let folder = Folder(["a", ""], folders: [Folder(["b"]), Folder([], folders: [Folder([""])])])
    await withCheckedContinuation { continuation in
      CalledBack.Import(on: .global()).start(folder) { continuation.resume() }
    }
    #expect(await Awaited.Import().start(folder) == 2)
  }

  @Test func `a plan without a cycle runs in its order`() async throws {
    let ran = Mutex<[String]>([])
    let features = [
      Feature("log", needs: ["photos"]), Feature("photos", needs: ["token"]), Feature("token"),
    ]
    try await blocking {
      Result {
        try Checked.SyncPlan().run(features) { name in ran.withLock { $0.append(name) } }
      }
    }.get()
    #expect(ran.withLock { $0 } == ["token", "photos", "log"])
  }

  @Test func `modules without a cycle are resolved`() async throws {
    let resolver = Checked.Resolver(["App": ["Model", "Net"], "Model": ["Net"]])
    #expect(try await resolver.needs(of: "App") == ["Model", "Net"])
  }

  @Test func `a letter goes to its reader, or waits for one`() async {
    let mailbox = Mutexed.Mailbox()
    mailbox.deliver("first")
    #expect(await mailbox.next() == "first")
    let reader = Task { await mailbox.next() }
    mailbox.deliver("second")
    #expect(await reader.value == "second")
  }

  @Test func `a reader that is cancelled before it waits leaves the letter to others`() async {
    let mailbox = Mutexed.Mailbox()
    let reader = Task {
      while !Task.isCancelled { await Task.yield() }
      return await mailbox.next()
    }
    reader.cancel()
    #expect(await reader.value == nil)
    mailbox.deliver("letter")
    #expect(await mailbox.next() == "letter")
  }
}
