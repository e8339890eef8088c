import Dispatch
import Workbook

extension Subject {
  static let ownWrite = Subject(
    "own-write",
    asks: "A caller writes, and then reads. Is what it wrote there?",
    right: .allowed("it is there"),
    implementations: [
      .before("async, serial queue") { _ in await addAndRead(in: Queued.PhotoManager()) }
        .code("PhotoManagerSerialQueue.swift", "queue.async"),
      .before("async barrier, own queue") { _ in await addAndRead(in: Barriered.PhotoManager()) }
        .code("PhotoManagerBarrier.swift", "queue.async(flags"),
      .before("sync barrier, own queue") { _ in await addAndRead(in: BarrieredSync.PhotoManager()) }
        .code("PhotoManagerSyncBarrier.swift", "func addPhoto"),
      .before(
        "async barrier, global queue",
        .surprising("it is missing", "there it is no barrier, and the read overtakes it"), .race
      ) { _ in
        let (meter, isCounted) = (OnGlobalQueue.UsageMeter(), DispatchSemaphore(value: 0))
        meter.add(bytes: 5) { isCounted.signal() }
        let photos = meter.usage.photos
        isCounted.wait()
        return photos == 1 ? "it is there" : "it is missing"
      }
      .code("UsageGlobalBarriers.swift", "queue.async(flags")
      .notPlayed("the block mostly comes late, and the sanitizer seldom sees both"),
      .after("actor, awaited") { _ in await addAndRead(in: Isolated.PhotoManager()) }
        .code("OwnWrite.swift", "await manager.add(1)"),
      .after(
        "actor, in a task that nobody awaits",
        .surprising("it is missing", "a task begins when it likes")
      ) { _ in await addAndRead(in: Unawaited.PhotoManager()) }
      .code("PhotoManagerUnawaited.swift", "nonisolated func addPhoto")
      .notPlayed("when the task begins is up to the pool"),
    ])
}

private func addAndRead(in manager: some Managing) async -> String {
  await manager.add(1)
  return await manager.ids == [1] ? "it is there" : "it is missing"
}
