// region imports
import DeadlockDetection

// endregion

/// Songs in a library, a list of those to play, and the one that plays, each under a lock of its own.
///
/// `WatchedLock` is an NSLock with a name, which the detector watches. The three stay as they are, and each variable
/// is used under its own. The check uses the locks, `init(_:)`, `fill()`, `next()`, `remove(_:)`, `playing`
/// and `songs`.
final class Jukebox: @unchecked Sendable {
  let playerLock = WatchedLock("player")
  let listLock = WatchedLock("list")
  let libraryLock = WatchedLock("library")
  private var current: String?
  private var list: [String] = []
  private var library: Set<String>

  init(_ songs: Set<String>) {
    library = songs
  }

  /// The song that plays.
  var playing: String? { playerLock.withLock { current } }

  /// The songs that are there.
  var songs: Set<String> { libraryLock.withLock { library } }

  // region fill
  /// Makes the list anew, of all songs.
  func fill() {
    listLock.withLock {
      list = libraryLock.withLock { library.sorted() }
    }
  }
  // endregion

  // region next
  /// Plays the next song of the list.
  func next() {
    playerLock.withLock {
      current = listLock.withLock { list.isEmpty ? nil : list.removeFirst() }
    }
  }
  // endregion

  // region remove
  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    libraryLock.withLock { _ = library.remove(song) }
    playerLock.withLock {
      if current == song { current = nil }
    }
  }
  // endregion
}
