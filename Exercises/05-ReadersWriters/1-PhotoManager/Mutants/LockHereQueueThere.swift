// Looks right: each use of the album is guarded. Wrong: the lock keeps out those that take the lock, and a
// search does not.

extension PhotoManager {
  // region state
  private let queue = DispatchQueue(label: "photos", attributes: .concurrent)
  private let lock = NSLock()
  private let album = Album()
  // endregion

  // region add
  /// Adds a photo, unless it is there already. Whatever the caller asks next counts it.
  func add(_ photo: Photo) {
    lock.withLock {
      guard !album.photos.contains(photo) else { return }
      album.append(photo)
    }
  }
  // endregion

  // region summary
  /// How much there is, at one moment.
  var summary: Summary {
    lock.withLock { Summary(count: album.photos.count, bytes: album.bytes) }
  }
  // endregion

  // region search
  /// The photos that are wanted, in the order in which they were added.
  func photos(where isWanted: (Photo) -> Bool) -> [Photo] {
    queue.sync { album.photos }.filter(isWanted)
  }
  // endregion
}
