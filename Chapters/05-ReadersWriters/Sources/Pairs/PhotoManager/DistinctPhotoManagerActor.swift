extension Isolated {
  actor DistinctPhotoManager {
    private(set) var photos: [PhotoValue] = []

    /// Leaves out what is there already: inside of the actor its property is a plain read.
    func addPhoto(_ photo: PhotoValue) {
      guard !photos.contains(where: { $0.id == photo.id }) else { return }
      photos.append(photo)
    }
  }
}
