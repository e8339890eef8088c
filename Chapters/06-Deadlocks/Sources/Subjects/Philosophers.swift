import Interleaving
import Workbook

extension Subject {
  static let philosophers = Subject(
    "philosophers",
    asks: "Five philosophers eat with five forks, two each; explored, they are fewer. Do all eat?",
    right: .allowed("all ate"), .forbidden("some ate"),
    implementations: [
      .before(
        "left fork first", .deadlock("each has the left fork and waits for the right")
      ) { stage in
        let seats = stage.isExplored ? 3 : 5
        let table = LockedCrosswise.Table(seats: seats)
        await stage.run(
          seats, called: "philosopher", on: .threads,
          meeting: (.change(1), { table.forks[$0] })
        ) { table.eat(at: $0) }
        return "all ate"
      }
      .code("TableLeftFirst.swift", "forks[seat].use")
      .watched(
        "deadlock, confirmed: philosopher 1, philosopher 2, philosopher 3, philosopher 4, philosopher 5",
        "before the last one blocks"
      )
      .found(
        "a cycle of 3: A waits for NSLock of Fork 2, held by B; B waits for NSLock of Fork 3, held by C; C "
          + "waits for NSLock of Fork, held by A"),
      .before("lower fork first") { stage in
        let seats = stage.isExplored ? 3 : 5
        let table = Locked.Table(seats: seats)
        await stage.run(seats, called: "philosopher", on: .threads) { table.eat(at: $0) }
        return "all ate"
      }
      .code("TableLock.swift", "let right"),
      .before("one chair fewer than forks") { stage in
        let seats = stage.isExplored ? 3 : 5
        let table = Chaired.Table(seats: seats)
        await stage.run(seats, called: "philosopher", on: .threads) { table.eat(at: $0) }
        return "all ate"
      }
      .code("TableSemaphore.swift", "chairs.wait()")
      .watched(
        "all ate; lock order inversion, potential", "the order of the forks alone is a cycle"),
      .after(
        "left fork first, awaited",
        .deadlock("no thread blocks, and each keeps its fork over the await")
      ) { stage in
        let seats = stage.isExplored ? 2 : 5
        let table = IsolatedCrosswise.Table(seats: seats)
        await stage.run(
          seats, called: "philosopher", on: .tasks, meeting: (.store(1), { table.forks[$0] })
        ) { await table.eat(at: $0) }
        return "all ate"
      }
      .code("TableOfForks.swift", "let right")
      .watched(
        "suspected: philosopher 1, philosopher 2, philosopher 3, philosopher 4, philosopher 5",
        "a continuation has no holder"
      )
      .found(
        "philosopher 1 waits for a continuation; "
          + "philosopher 2 waits for a continuation"),
      .after("actor, both forks in one step") { stage in
        let seats = stage.isExplored ? 3 : 5
        let table = Isolated.Table(seats: seats)
        await stage.run(seats, called: "philosopher", on: .tasks) { await table.eat(at: $0) }
        return "all ate"
      }
      .code("TableActor.swift", "guard isFree[seat]")
      .reduced(assuming: .actorIsolation),
    ])
}
