import ChapterTesting
import Testing
import Workbook

@testable import Races

@Suite(.timeLimit(.minutes(30))) struct RacesTests {
  @Test(arguments: Chapter.races.demos.map(\.name))
  func `what is claimed holds where A is stopped`(_ name: String) async throws {
    try await Chapter.races.expectClaims(of: name)
  }

  @Test(.explored, arguments: Chapter.races.scenarios.map(\.name))
  func `exactly the declared outcomes under every schedule, and each can be replayed`(
    _ name: String
  ) async throws {
    try await Chapter.races.expectOutcomes(of: name)
  }

  @Test(arguments: Chapter.races.hazards.map(\.id))
  func `a race shows in every run, to the sanitizer too`(_ id: String) async throws {
    try await Chapter.races.expectSameEnd(of: id)
  }

  @Test(arguments: subjects.map(\.name))
  func `cures are right where A and B run at once`(_ name: String) async throws {
    try await Chapter.races.expectCures(of: name)
  }

  @Test func `a static let is one session for the whole process`() {
    #expect(Static.SessionStore().session === Static.SessionStore().session)
  }

  @Test(arguments: [false, true])
  func `an audit that refuses leaves the balance as it was`(isReentrant: Bool) async {
    if isReentrant {
      let account = Reentrant.Account(balance: 100)
      #expect(!(await account.withdraw(80) { false }))
      #expect(await account.balance == 100)
    } else {
      let account = InOneStep.Account(balance: 100)
      #expect(!(await account.withdraw(80) { false }))
      #expect(await account.balance == 100)
    }
    let blocked = Blocked.Account(balance: 100)
    #expect(!blocked.withdraw(80) { false })
    #expect(blocked.balance == 100)
  }

  @Test func `the price of taking first: B is turned away, though A's audit refuses`() async {
    let account = InOneStep.Account(balance: 100)
    let isPaidToA = await account.withdraw(80) {
      #expect(!(await account.withdraw(80) { true }))
      return false
    }
    #expect(!isPaidToA)
    #expect(await account.balance == 100)
  }
}
