import Workbook

extension Subject {
  static let twoAdds = Subject(
    "two-adds",
    asks: "A and B each add a photo. How many does the manager keep?",
    right: .allowed("2 kept"),
    implementations: [
      .before("nothing", oneKept.onlyPlayed, .race) { additions(to: Plain.PhotoManager()) }
        .code("PhotoManagerPlain.swift", "func addPhoto"),
      .before("serial queue") { additions(to: Queued.PhotoManager()) }
        .code("PhotoManagerSerialQueue.swift", "queue.async"),
      .before("concurrent queue, barrier for writes") { additions(to: Barriered.PhotoManager()) }
        .code("PhotoManagerBarrier.swift", "queue.async(flags"),
      .after("Mutex") { additions(to: Mutexed.PhotoManager()) }
        .code("PhotoManagerMutex.swift", "stored.withLock"),
      .after("actor") { additions(to: Isolated.PhotoManager()) }
        .code("PhotoManagerActor.swift", "actor PhotoManager"),
    ])

  static let writeWithoutBarrier = Subject(
    "write-without-barrier",
    asks: "Photos are written on a concurrent queue. A and B each add one; how many are kept?",
    right: .allowed("2 kept"),
    implementations: [
      .before("no barrier", oneKept.onlyPlayed, .race) {
        additions(to: Unbarriered.PhotoManager())
      }
      .code("PhotoManagerNoBarriers.swift", "func addPhoto"),
      .before("sync barrier on a global queue", oneKept.onlyPlayed, .race) {
        additions(to: OnGlobalQueue.PhotoManager())
      }
      .code("PhotoManagerGlobalBarriers.swift", "func addPhoto"),
      .before("sync barrier on its own queue") { additions(to: BarrieredSync.PhotoManager()) }
        .code("PhotoManagerSyncBarrier.swift", "func addPhoto"),
    ])

  static let snapshotLostUpdate = Subject(
    "snapshot-lost-update",
    asks: "A and B each publish a snapshot with one photo more. How many photos does it have then?",
    right: .allowed("2 kept"),
    implementations: [
      .before("NSLock for reading, NSLock for publishing", oneKept) {
        additions(to: LockedByHalves.PhotoManager())
      }
      .code("PhotoManagerTwoLocks.swift", "func addPhoto")
      .notPlayed("A holds the lock wherever it can be stopped"),
      .after("Mutex around both, and a version") { additions(to: Snapshotted.PhotoManager()) }
        .code("PhotoManagerSnapshot.swift", "stored.withLock"),
    ])

  static let writersTakeTurns = Subject(
    "writers-take-turns",
    asks: "A and B each add a photo under a lock that is made of a condition. How many are kept?",
    right: .allowed("2 kept"), .forbidden("1 kept"),
    implementations: [
      .before("condition, readers first") { additions(to: Conditioned.PhotoManager()) }
        .code("SharedAccess.swift", "while isWriting || readers"),
      .before("condition, a waiting writer first") { additions(to: WriterFirst.PhotoManager()) }
        .code("WriterFirstAccess.swift", "waitingWriters += 1"),
    ])

  private static let oneKept = Outcome.surprising(
    "1 kept", "A puts its photo behind those that it had read before B")
}

/// A is stopped before it changes the array; each reads at its end, so that what it has others do is done.
private func additions(to manager: some Managing) -> Encounter {
  Encounter(over: manager, stoppedAt: .change(1)) { name in
    await manager.add(name == "A" ? 1 : 2)
    _ = await manager.ids
  } outcome: { _, _ in
    "\(await manager.ids.count) kept"
  }
}
