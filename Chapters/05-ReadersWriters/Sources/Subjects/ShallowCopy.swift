import Workbook

extension Subject {
  static let shallowCopy = Subject(
    "shallow-copy",
    asks: "A download ends while B draws the copy that it was given. What does B draw?",
    right: .allowed("a photo as it is at one time"),
    implementations: [
      .before(
        "barrier queue, photos are objects",
        .surprising("a good photo without an image", "the array is a copy, and the photo is not"),
        .race
      ) {
        let (manager, photo) = (Barriered.PhotoManager(), DownloadedPhoto(id: 1))
        manager.addPhoto(photo)
        let copy = manager.photos
        return Encounter(over: photo, stoppedAt: .change(2)) {
          photo.finish(with: image)
        } by: {
          drawn(copy[0])
        } outcome: { _, drawn in
          drawn
        }
      }
      .code("DownloadedPhoto.swift", "func finish"),
      .after("actor, photos are values", meanwhile: .comesIn) {
        let manager = Isolated.PhotoManager()
        return Encounter(over: manager, stoppedAt: .change(2)) {
          await manager.addPhoto(PhotoValue(id: 1))
          let copy = await manager.photos
          await manager.finish(1, with: image)
          return drawn(copy[0])
        } by: {
          await manager.photos.first.map { drawn($0) } ?? drawn(PhotoValue(id: 1))
        } outcome: { first, second in
          first == second ? first : "a photo as it was at two times"
        }
      }
      .code("PhotoManagerActor.swift", "func finish")
      .notPlayed("the copy is B's own, so there is nothing to stop A at"),
    ])
}

private let image = Image(width: 4_000, height: 3_000)

private func drawn(_ photo: some Photo) -> String {
  let (status, image) = (photo.status, photo.image)
  return status == .good && image == nil
    ? "a good photo without an image" : "a photo as it is at one time"
}
