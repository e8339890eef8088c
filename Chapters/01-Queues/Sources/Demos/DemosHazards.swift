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
    asks: "A adds 10 to a score of 5 and is stopped in the middle; B resets it. What is the score?",
    sides: [
      .hazard(
        .before, "reset forgets the queue", .wrongQueueRace,
        .surprising("B comes in, score 15", "the reset is lost"),
        .forbidden("B waits, score 0")),
      .after(
        "actor", .allowed("B waits, score 0"), .forbidden("B comes in, score 15")
      ) { _ in
        let scoreboard = ScoreboardActor(score: 5)
        let interruption = await interrupt { pause in
          await scoreboard.add(10, afterReading: pause)
        } by: {
          await scoreboard.reset()
        }
        return "\(interruption.rawValue), score \(await scoreboard.score)"
      },
    ])
}
