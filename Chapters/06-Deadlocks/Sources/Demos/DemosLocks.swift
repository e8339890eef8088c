import Workbook

import func DeadlocksWatched.watched

extension Demo {
  static let twoLocks = Demo(
    "two-locks",
    asks: "A pays B and B pays A at the same time; each purse has a lock. What happens?",
    sides: [
      .hazard(
        .before, "NSLock, payer first", .twoLocks,
        .surprising("hang", "each holds one lock and waits for the other"),
        .forbidden("B waits, 70 and 130")),
      .watched(
        .before, "NSLock, payer first", .twoLocks,
        "deadlock, confirmed: A, B", "before A blocks"),
      .hazard(
        .before, "the same, B after A, watched", watched(.twoInTurn),
        .surprising("70 and 130; lock order inversion, potential", "nobody waits in this run"),
        .forbidden("70 and 130")),
      .before(
        "NSLock, lower number first", .allowed("B waits, 70 and 130"),
        .forbidden("B comes in, 70 and 130")
      ) { _ in await transfers(between: TransferLock.self) },
      .hazard(
        .after, "Mutex, payer first", .twoMutexes,
        .surprising(
          "fatal error", "the kernel finds the cycle, and the message calls it recursive"),
        .forbidden("B waits, 70 and 130")),
      .watched(
        .after, "Mutex, payer first", .twoMutexes,
        "deadlock, confirmed: A, B", "before A blocks"),
      .after(
        "Mutex, one at a time", .allowed("B comes in, 70 and 130", "A holds nothing in between"),
        .forbidden("B waits, 70 and 130")
      ) { _ in await transfers(between: TransferMutex.self, isUnguarded: true) },
      .after(
        "actor", .allowed("B waits, 70 and 130", "A's actor is busy while A is stopped in it"),
        .forbidden("hang")
      ) { _ in await transfers(between: TransferActor.self) },
    ])

  static let philosophers = Demo(
    "philosophers",
    asks: "Five philosophers eat with five forks, two each. Does each get to eat?",
    sides: [
      .hazard(
        .before, "left fork first", .philosophers,
        .surprising("hang", "each has the left fork and waits for the right"),
        .forbidden("all ate")),
      .watched(
        .before, "left fork first", .philosophers,
        "deadlock, confirmed: task 1, task 2, task 3, task 4, task 5", "before the last one blocks"),
      .before("lower fork first", .allowed("all ate"), .forbidden("hang")) { _ in
        await dinner(at: TableLock(seats: 5))
      },
      .before("four of five at the table", .allowed("all ate"), .forbidden("hang")) { _ in
        await dinner(at: TableSemaphore(seats: 5))
      },
      .hazard(
        .after, "left fork first, awaited", .asyncPhilosophers,
        .surprising("hang", "no thread blocks, and each keeps its fork over the await"),
        .forbidden("all ate")),
      .watched(
        .after, "left fork first, awaited", .asyncPhilosophers,
        "suspected: philosopher 1, philosopher 2, philosopher 3, philosopher 4, philosopher 5",
        "a continuation has no holder"),
      .after("actor, both forks in one step", .allowed("all ate"), .forbidden("hang")) { _ in
        await dinner(at: TableActor(seats: 5))
      },
    ])
}
