import Workbook

extension Demo {
  static let syncOnOwnQueue = Demo(
    "sync-on-own-queue",
    asks: "Code that runs on a queue asks the same queue to run more, and waits. What happens?",
    sides: [
      .hazard(
        .before, "queue.sync inside queue.sync", .syncOnOwnQueue,
        .surprising("trap", "a deadlock that Dispatch finds, and ends the process for"),
        .forbidden("returned")),
      .hazard(
        .before, "main.sync on main", .mainFromMain,
        .surprising("trap", "the same, on the main queue"), .forbidden("returned")),
      .after(
        "actor method calls another", .allowed("score 1", "it waits for nobody"),
        .forbidden("score 0")
      ) { _ in
        let scoreboard = ScoreboardActor(score: 5)
        await scoreboard.restart(with: 1)
        return "score \(await scoreboard.score)"
      },
    ])

  static let mainWaits = Demo(
    "main-waits",
    asks: "The main thread waits for work that in turn needs the main queue. What happens?",
    sides: [
      .hazard(
        .before, "semaphore on main, main.sync elsewhere", .mainWaits,
        .surprising("hang", "each waits for the other, and Dispatch does not notice"),
        .forbidden("refreshed")),
      .hazard(
        .after, "await on both sides", .mainAwaits,
        .allowed("refreshed", "whoever awaits leaves the main actor free"), .forbidden("hang")),
    ])

  static let wrongQueueRace = Demo(
    "wrong-queue-race",
    asks: "A score of 5 is reset while 10 is added. Which scores are possible?",
    sides: [
      .hazard(
        .before, "reset forgets the queue", .wrongQueueRace,
        .surprising("score 15", "the reset is lost"), .forbidden("score 0"),
        .forbidden("score 10")),
      .after(
        "actor, in either order", .allowed("score 0; score 10", "added, then reset; the reverse"),
        .forbidden("score 15; score 15")
      ) { _ in
        let addedFirst = ScoreboardActor(score: 5)
        await addedFirst.add(10)
        await addedFirst.reset()
        let resetFirst = ScoreboardActor(score: 5)
        await resetFirst.reset()
        await resetFirst.add(10)
        return "score \(await addedFirst.score); score \(await resetFirst.score)"
      },
    ])
}
