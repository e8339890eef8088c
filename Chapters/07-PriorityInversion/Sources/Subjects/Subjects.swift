import Workbook

/// What the chapter explores: one at a time is inside, whatever is raised. The explorer knows no priorities, and takes
/// every order, also those that priorities would exclude.
public let subjects: [Subject] = [.index, .turn]

extension Subject {
  static let index = Subject(
    "index",
    asks: "A and B each add a photo to the index. Is one lost?",
    right: .allowed("0 lost"), .forbidden("1 lost"),
    implementations: [
      .before("semaphore") { additions(to: Counted.Index()) }
        .code("IndexSemaphore.swift", "turn.wait()"),
      .before("NSLock") { additions(to: Locked.Index()) }
        .code("IndexLock.swift", "func add"),
      .before("serial queue") { additions(to: Queued.Index()) }
        .code("IndexSerialQueue.swift", "func add"),
      .after("Mutex") { additions(to: Mutexed.Index()) }
        .code("IndexMutex.swift", "func add"),
      .after("actor") { additions(to: Isolated.Index()) }
        .code("IndexActor.swift", "actor Index"),
    ])

  static let turn = Subject(
    "turn",
    asks: "A and B each have a section that awaits. Are both inside at once?",
    right: .allowed("one at a time"),
    implementations: [
      .after("actor", .surprising("both at once", "the actor is free during the await")) {
        let (room, pause) = (Room(), Pause())
        return Encounter(over: room, stoppedAt: .call(pause)) { _ in
          await room.visit { await pause() }
        } outcome: { _, _ in
          await room.verdict
        }
      }
      .code("Subjects.swift", "await room.visit"),
      .after("semaphore of continuations") { sections(in: Counted.Turn()) }
        .code("TurnSemaphore.swift", "await wait()"),
      .after("chain of tasks") { sections(in: Chained.Turn()) }
        .code("TurnTask.swift", "let previous"),
    ])
}

/// A is stopped while it adds its photo.
private func additions(to index: some Indexing) -> Encounter {
  Encounter(over: index, stoppedAt: .change(1)) { name in
    await index.add(name)
  } outcome: { _, _ in
    "\(2 - (await index.photos.count)) lost"
  }
}

/// A is stopped in its section.
private func sections(in turn: some Turning) -> Encounter {
  let (visits, pause) = (Visits(), Pause())
  return Encounter(over: turn, stoppedAt: .call(pause), on: .tasks) { _ in
    await turn.take {
      visits.begin()
      await pause()
      visits.end()
    }
  } outcome: { _, _ in
    visits.verdict
  }
}

/// Counts those that are inside. Sendable if one is at a time; otherwise it races, and the explorer says so.
private final class Visits: @unchecked Sendable {
  private var inside = 0
  private var most = 0

  func begin() {
    inside += 1
    most = max(most, inside)
  }

  func end() { inside -= 1 }

  var verdict: String { most == 1 ? "one at a time" : "both at once" }
}

/// A room that is an actor, and no turn before it.
private actor Room {
  private let visits = Visits()

  func visit(_ stay: @Sendable () async -> Void) async {
    visits.begin()
    await stay()
    visits.end()
  }

  var verdict: String { visits.verdict }
}
