// Looks right: a summary is alone, so it fits. Wrong: it waits for a search, and a search for it.

extension PhotoManager {
  // region summary
  /// How much there is, at one moment.
  var summary: Summary {
    queue.sync(flags: .barrier) { Summary(count: album.photos.count, bytes: album.bytes) }
  }
  // endregion
}
