// Looks right: it looks in a read and changes in a barrier. Wrong: in between another thread adds the same
// photo.

extension PhotoManager {
  // region add
  /// Adds a photo, unless it is there already. Whatever the caller asks next counts it.
  func add(_ photo: Photo) {
    let isThere = queue.sync { album.photos.contains(photo) }
    guard !isThere else { return }
    queue.async(flags: .barrier) { [self] in
      album.append(photo)
    }
  }
  // endregion
}
