// Looks right: each number is read on the queue. Wrong: a photo is added between the two.

extension PhotoManager {
  // region summary
  /// How much there is, at one moment.
  var summary: Summary {
    Summary(count: queue.sync { album.photos.count }, bytes: queue.sync { album.bytes })
  }
  // endregion
}
