import ChapterTesting
import Foundation
import Testing

@testable import ConfinedState

@Suite(.timeLimit(.minutes(30))) struct RandomTests {
  /// A parent, its child and what is stored, each beside a dictionary.
  @Test(arguments: Form.all)
  func `5,000 random operations come to what a dictionary has`(_ form: Form) async throws {
    let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? 16
    var random = Seeded(seed)
    let file = TestFile()
    let store = form.open(adaAndBo, file)
    let parent = await store.session(.error)
    var child = await parent.child()
    var (stored, above, own) = (adaAndBo, adaAndBo, adaAndBo)
    for step in 1...5_000 {
      let place: Comment = "step \(step) of seed \(seed)"
      let someone = own.keys.sorted().randomElement(using: &random) ?? ada
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<4:
        let id = try #require(await child.perform(.insert("user \(step)")).inserted.first)
        #expect(own[id] == nil && above[id] == nil && stored[id] == nil, place)
        own[id] = User(name: "user \(step)")
      case 4..<8:
        try await child.perform(.visit(someone))
        own[someone]?.visits += 1
      case 8..<11:
        try await child.perform(.rename(someone, "name \(step)"))
        own[someone]?.name = "name \(step)"
      case 11..<15:
        try await child.perform(.delete(someone))
        own[someone] = nil
      case 15:
        try await child.perform(.rollback)
        own = above
      case 16..<18:
        #expect(try await child.perform(.save) == difference(from: above, to: own), place)
        above = own
      case 18:
        #expect(try await parent.perform(.save) == difference(from: stored, to: above), place)
        stored = above
      default:
        try await parent.perform(.rollback)
        child = await parent.child()
        (above, own) = (stored, stored)
      }
      if step % 10 != 0 { continue }
      try #require(await child.users == own, place)
      try #require(await parent.users == above, place)
      try #require(await store.stored == stored, place)
    }
    #expect(file.users == stored)
  }
}
