extension PhotoManager {
  // region add
  // TODO: Let a change be alone, and let reads go on beside each other.
  /// Adds a photo, unless it is there already. Whatever the caller asks next counts it.
  func add(_ photo: Photo) {
    queue.async { [self] in
      guard !album.photos.contains(photo) else { return }
      album.append(photo)
    }
  }
  // endregion

  // region summary
  /// How much there is, at one moment.
  var summary: Summary {
    Summary(count: album.photos.count, bytes: album.bytes)
  }
  // endregion
}
