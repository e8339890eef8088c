import Workbook

extension Subject {
  static let wrongQueueRace = Subject(
    "wrong-queue-race",
    asks: "A adds 10 to a score of 5 and is stopped in the middle; B resets it. What is the score?",
    right: .allowed("score 0"), .allowed("score 10", "B was first").onlyExplored,
    implementations: [
      .before(
        "reset forgets the queue", .surprising("score 15", "the reset is lost"), .race
      ) { addition(to: Forgetful.Scoreboard(score: 5)) }
      .code("ScoreboardForgettingReset.swift", "func reset"),
      .before("both on the queue") { addition(to: Queued.Scoreboard(score: 5)) }
        .code("ScoreboardSerialQueue.swift", "func reset"),
      .after("actor") { addition(to: Isolated.Scoreboard(score: 5)) }
        .code("ScoreboardActor.swift", "func reset"),
    ])
}

/// The points of a game.
private protocol Scoring: AnyObject, Sendable {
  func add(_ more: Int) async
  func reset() async
  var score: Int { get async }
}

extension Queued.Scoreboard: Scoring {}
extension Isolated.Scoreboard: Scoring {}
extension Forgetful.Scoreboard: Scoring {}

/// A is stopped between its read and its write.
private func addition(to scoreboard: some Scoring) -> Encounter {
  Encounter(over: scoreboard, stoppedAt: .store(1)) {
    await scoreboard.add(10)
  } by: {
    await scoreboard.reset()
  } outcome: { _, _ in
    "score \(await scoreboard.score)"
  }
}
