// Looks right: each use is on the queue, and sync waits until the change is made. Wrong: it does not wait
// until the others are done.

extension PhotoManager {
  // region add
  /// Adds a photo, unless it is there already. Whatever the caller asks next counts it.
  func add(_ photo: Photo) {
    queue.sync {
      guard !album.photos.contains(photo) else { return }
      album.append(photo)
    }
  }
  // endregion
}
