import Interleaving
import PriorityInversionExplored
import Workbook

import func ControlledDispatch.strands

// What the explorer runs: whoever is raised, one at a time is inside. It knows no priorities, and takes every
// order, also those that priorities would exclude.

extension Scenario {
  static let index = Scenario(
    "index", asks: "A and B each add a photo to the index. Is one lost?",
    versions: [
      guarded("semaphore") { PriorityInversionExplored.IndexSemaphore() },
      guarded("NSLock") { PriorityInversionExplored.IndexLock() },
      guarded("serial queue") { PriorityInversionExplored.IndexSerialQueue() },
      guarded("Mutex") { PriorityInversionExplored.IndexMutex() },
    ])

  private static func guarded(
    _ mechanism: String,
    _ make: @escaping @Sendable () -> some PriorityInversionExplored.BlockingIndex
  ) -> Version {
    Version(
      mechanism, .allowed("0 lost"), strategy: .reduced(assuming: .controlledSharing)
    ) {
      let index = make()
      // It races where two are inside at once.
      let middle = Shared(0, "middle")
      strands(
        { index.add("a") { middle.value += 1 } }, { index.add("b") { middle.value += 1 } })
      return "\(2 - index.photos.count) lost"
    }
  }

  static let turn = Scenario(
    "turn", asks: "A and B each have a section that awaits. Are both inside at once?",
    versions: [
      Version(
        "actor", .allowed("one at a time"),
        .surprising("both at once", "the actor is free during the await"),
        strategy: .reduced(assuming: .actorIsolation)
      ) {
        let room = Room()
        await withDiscardingTaskGroup { group in
          for name in ["A", "B"] { group.addTask(name: name) { await room.visit() } }
        }
        return await room.verdict
      },
      taken("semaphore of continuations") { TurnSemaphore() },
      taken("chain of tasks") { TurnTask() },
    ])

  private static func taken(
    _ mechanism: String, _ make: @escaping @Sendable () -> some Turn
  ) -> Version {
    Version(mechanism, .allowed("one at a time")) {
      let (turn, room) = (make(), Room())
      await withDiscardingTaskGroup { group in
        for name in ["A", "B"] {
          group.addTask(name: name) { await turn.take { await room.visit() } }
        }
      }
      return await room.verdict
    }
  }
}

/// Counts who is inside, over an await.
private actor Room {
  private var inside = 0
  private var most = 0

  func visit() async {
    inside += 1
    most = max(most, inside)
    await Task.yield()
    inside -= 1
  }

  var verdict: String { most == 1 ? "one at a time" : "both at once" }
}
