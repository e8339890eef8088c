extension Isolated {
  actor PhotoManager {
    private(set) var photos: [PhotoValue] = []

    /// Tells of each photo that has been added how many there are. A reader that is late gets the newest number, and
    /// none that has been overtaken. It has one reader, and ends with the manager.
    nonisolated let additions: AsyncStream<Int>
    private let added: AsyncStream<Int>.Continuation

    init() {
      (additions, added) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { added.finish() }

    func addPhoto(_ photo: PhotoValue) {
      photos.append(photo)
      added.yield(photos.count)
    }

    /// What the download calls at its end; of a photo that is no longer there it does nothing.
    func finish(_ id: Int, with image: Image?) {
      guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
      photos[index].finish(with: image)
    }
  }
}
