extension Isolated {
  actor PhotoManager {
    private(set) var photos: [PhotoValue] = []
    nonisolated let additions = Additions()

    func addPhoto(_ photo: PhotoValue) {
      photos.append(photo)
      additions.yield()
    }

    /// What the download calls at its end; of a photo that is no longer there it does nothing.
    func finish(_ id: Int, with image: Image?) {
      guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
      photos[index].finish(with: image)
    }
  }
}
