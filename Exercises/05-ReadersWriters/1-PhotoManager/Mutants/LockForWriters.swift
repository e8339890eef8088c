// Looks right: a lock lets one change at a time in, and reads are on the queue. Wrong: nothing keeps a read
// and a change apart.

extension PhotoManager {
  // region state
  private let queue = DispatchQueue(label: "photos", attributes: .concurrent)
  private let writers = NSLock()
  private let album = Album()
  // endregion

  // region add
  /// Adds a photo, unless it is there already. Whatever the caller asks next counts it.
  func add(_ photo: Photo) {
    writers.withLock {
      guard !album.photos.contains(photo) else { return }
      album.append(photo)
    }
  }
  // endregion
}
