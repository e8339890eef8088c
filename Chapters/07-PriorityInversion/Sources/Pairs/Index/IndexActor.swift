extension Isolated {
  /// A search index as an actor.
  actor Index {
    private(set) var photos: [String] = []

    func add(_ photo: String) {
      photos.append(photo)
    }
  }
}
