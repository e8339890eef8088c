import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let firstAnswer = Subject(
    "first-answer",
    asks: "Mirrors A and B answer at once. How often is the caller told?",
    right: .allowed("told once"),
    implementations: [
      .before(
        "plain flag", .surprising("told twice", "both look before either notes"), .race
      ) {
        let told = Told()
        return answers(to: Unsynchronised.Mirrors(then: told.note), told)
      }
      .code("MirrorsUnsynchronised.swift", "if isAnswered"),
      .before("flag under a lock") {
        let told = Told()
        return answers(to: Locked.Mirrors(2, then: told.note), told)
      }
      .code("MirrorsLock.swift", "let isTold"),
      .after("task group", .allowed("told once", "a function returns once")) { _ in
        let photo = try await TaskGrouped.Mirrors()
          .load("a", from: [Network().photo(named:), Network().photo(named:)])
        return photo == .grain ? "told once" : "not told"
      }
      .code("MirrorsTaskGroup.swift", "while let answer"),
    ])

  static let loser = Subject(
    "loser",
    asks: "The first mirror has answered. How many requests are still under way?",
    right: .allowed("0 under way"),
    implementations: [
      .before(
        "flag under a lock", .surprising("1 under way", "nobody stops the loser"),
        .allowed("0 under way", "the loser came in meanwhile")
      ) { _ in
        let network = Network(.concurrent)
        _ = waiting {
          Locked.Mirrors
            .load("a", from: [network.fetch, network.fetch], on: .global(), then: $0)
        }
        return "\(network.underWay) under way"
      }
      .code("MirrorsLock.swift", "for fetch in mirrors")
      .notPlayed("groups/mirrors plays it"),
      .after("task group") { _ in
        let network = Network()
        _ = try await TaskGrouped.Mirrors()
          .load("a", from: [network.photo(named:), network.photo(named:)])
        return "\(network.underWay) under way"
      }
      .code("MirrorsTaskGroup.swift", "defer { group.cancelAll() }")
      .notPlayed("groups/mirrors plays it"),
    ])
}

/// How often a caller was told.
private final class Told: Sendable {
  private let count = Atomic(0)

  @Sendable func note(_: Answer) { count.add(1, ordering: .sequentiallyConsistent) }

  var outcome: String {
    ["not told", "told once", "told twice"][count.load(ordering: .sequentiallyConsistent)]
  }
}

/// Takes answers, and tells the first.
private protocol Taking: AnyObject, Sendable {
  func take(_ answer: Answer)
}

extension Unsynchronised.Mirrors: Taking {}
extension Locked.Mirrors: Taking {}

/// A is stopped between its look at the flag and its note.
private func answers(to mirrors: some Taking, _ told: Told) -> Encounter {
  Encounter(over: mirrors, stoppedAt: .store(1)) { _ in
    mirrors.take(.success(.grain))
  } outcome: { _, _ in
    told.outcome
  }
}
