extension Plain {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class PhotoManager: @unchecked Sendable {
    private(set) var photos: [any Photo] = []

    func addPhoto(_ photo: any Photo) {
      photos = photos + [photo]
    }
  }
}
