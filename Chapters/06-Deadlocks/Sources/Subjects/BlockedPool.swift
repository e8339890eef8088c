import Workbook

extension Subject {
  static let blockedPool = Subject(
    "blocked-pool",
    asks: "600 queues each hold a thread until the decoder has run. Does it get to run?",
    right: .allowed("shown"), .forbidden("some shown"),
    implementations: [
      .before(
        "each waits on its queue",
        .deadlock("Dispatch begins 255 threads, and the decoder has none")
      ) { stage in
        stage.aboutToBlock("600 queues wait for one that has no thread")
        let photos = stage.limitPool()
        Waiting.Gallery(target: stage.isExplored ? .global() : nil).show(photos)
        return "shown"
      }
      .code("GalleryFillingPool.swift", "async(group: shown)")
      .watched("suspected: 602 wait", "a semaphore has no holder")
      .found(
        "scenario waits for DispatchGroup in show; photo 1 1 waits for DispatchSemaphore in show; "
          + "photo 2 1 waits for DispatchSemaphore in show; decoder 1 waits for one of 2 workers"),
      .before("submitted when decoded") { stage in
        let photos = stage.limitPool()
        CalledBack.Gallery(target: stage.isExplored ? .global() : nil).show(photos)
        return "shown"
      }
      .code("GalleryQueue.swift", "decoder.async"),
      .after("task group") { stage in
        let photos = stage.isExplored ? 2 : 600
        return await Awaited.Gallery().show(photos) == photos ? "shown" : "some shown"
      }
      .code("GalleryTaskGroup.swift", "withDiscardingTaskGroup"),
    ])
}

extension Stage {
  /// Explored, the pool has two workers; returns how many photos fill it.
  fileprivate func limitPool() -> Int {
    if isExplored { limitWorkers(to: 2) }
    return isExplored ? 2 : 600
  }
}
