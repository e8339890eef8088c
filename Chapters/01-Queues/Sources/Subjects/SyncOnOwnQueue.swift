import Dispatch
import Workbook

extension Subject {
  static let syncOnOwnQueue = Subject(
    "sync-on-own-queue",
    asks: "Code that runs on a queue asks the same queue to run more, and waits. What happens?",
    right: .allowed("score 1"), .forbidden("score 6"),
    implementations: [
      .before(
        "queue.sync inside queue.sync",
        .trap("a deadlock that Dispatch finds, and ends the process for")
      ) { stage in
        let scoreboard = QueuedInside.Scoreboard(score: 5)
        stage.aboutToBlock("queue.sync on the queue it runs on")
        return await restart(scoreboard)
      }
      .code("ScoreboardRestartingInside.swift", "func restart")
      .alwaysWrong,
      .before("main.sync on main", .trap("the same, on the main queue")) { stage in
        let scoreboard = Queued.Scoreboard(score: 1)
        return await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            stage.aboutToBlock("DispatchQueue.main.sync on the main queue")
            let score = DispatchQueue.main.sync { scoreboard.score }
            continuation.resume(returning: "score \(score)")
          }
        }
      }
      .code("SyncOnOwnQueue.swift", "DispatchQueue.main.async")
      .alwaysWrong,
      .before("one queue.sync for both") { _ in await restart(Queued.Scoreboard(score: 5)) }
        .code("ScoreboardSerialQueue.swift", "func restart"),
      .after("actor method calls another", .allowed("score 1", "it waits for nobody")) { _ in
        await restart(Isolated.Scoreboard(score: 5))
      }
      .code("ScoreboardActor.swift", "func restart"),
    ])
}

/// The points of a game, which can begin anew.
private protocol Restarting: Sendable {
  func restart(with first: Int) async
  var score: Int { get async }
}

extension Queued.Scoreboard: Restarting {}
extension QueuedInside.Scoreboard: Restarting {}
extension Isolated.Scoreboard: Restarting {}

private func restart(_ scoreboard: some Restarting) async -> String {
  await scoreboard.restart(with: 1)
  return "score \(await scoreboard.score)"
}
