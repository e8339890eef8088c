// Looks right: the changes are alone now. Wrong: a summary is read on its caller's thread, and no barrier
// waits for that.

extension PhotoManager {
  // region summary
  /// How much there is, at one moment.
  var summary: Summary {
    Summary(count: album.photos.count, bytes: album.bytes)
  }
  // endregion
}
