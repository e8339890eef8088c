import ControlledDispatch  // its DispatchQueue is spelled as Dispatch's, and the check gives the turns

/// A photo. It stays as it is.
struct Photo: Hashable, Sendable {
  let name: String
  let bytes: Int
}

/// How many photos there are, and how much they take together. It stays as it is.
struct Summary: Hashable, Sendable {
  let count: Int
  let bytes: Int
}

/// Photos in the order in which they were added. Any number of threads may read it at once, if none changes it. It
/// stays as it is.
final class Album {
  private var contents: [Photo] = []
  private(set) var bytes = 0

  var photos: [Photo] { contents }

  func append(_ photo: Photo) {
    contents.append(photo)
    bytes += photo.bytes
  }
}

/// The photos of an app, for as many threads as you like.
///
/// The check uses `Photo`, `Summary`, `init()`, `add(_:)`, `summary` and `photos(where:)`.
// Sendable because `queue` guards `album`; see to it that this is true.
final class PhotoManager: @unchecked Sendable {
  // region state
  private let queue = DispatchQueue(label: "photos", attributes: .concurrent)
  private let album = Album()
  // endregion

  init() {}

  // region add
  /// Adds a photo, unless it is there already. Whatever the caller asks next counts it.
  func add(_ photo: Photo) {
    queue.async(flags: .barrier) { [self] in
      guard !album.photos.contains(photo) else { return }
      album.append(photo)
    }
  }
  // endregion

  // region summary
  /// How much there is, at one moment.
  var summary: Summary {
    queue.sync { Summary(count: album.photos.count, bytes: album.bytes) }
  }
  // endregion

  // region search
  /// The photos that are wanted, in the order in which they were added.
  ///
  /// - Parameter isWanted: Asked once for each photo; it may take long, and does not use the manager.
  func photos(where isWanted: (Photo) -> Bool) -> [Photo] {
    queue.sync { album.photos.filter(isWanted) }
  }
  // endregion
}
