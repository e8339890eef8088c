import Workbook

extension Subject {
  static let syncInBarrier = Subject(
    "sync-in-barrier",
    asks:
      "A photo that is there already is left out. The check reads inside of the barrier; does it end?",
    right: .allowed("1 kept"), .forbidden("2 kept"),
    implementations: [
      .before(
        "by the property, which calls sync",
        .trap("sync inside of its own barrier: Dispatch finds it, and ends the process")
      ) { addTwice(BarrieredInside.DistinctPhotoManager(), $0) }
      .code("DistinctPhotoManagerReadingInside.swift", "queue.sync(flags")
      .alwaysWrong,
      .before("by the array itself") { addTwice(Barriered.DistinctPhotoManager(), $0) }
        .code("DistinctPhotoManagerBarrier.swift", "queue.sync(flags"),
      .after("actor, by the property") { _ in
        let manager = Isolated.DistinctPhotoManager()
        for _ in 1...2 { await manager.addPhoto(PhotoValue(id: 1)) }
        return "\(await manager.photos.count) kept"
      }
      .code("DistinctPhotoManagerActor.swift", "func addPhoto"),
    ])
}

private func addTwice(_ manager: some ManagingObjects, _ stage: Stage) -> String {
  stage.aboutToBlock("sync on the queue whose barrier it runs in")
  let photo = LibraryPhoto(id: 1, image: Image(width: 4, height: 3))
  manager.addPhoto(photo)
  manager.addPhoto(photo)
  return "\(manager.photos.count) kept"
}
