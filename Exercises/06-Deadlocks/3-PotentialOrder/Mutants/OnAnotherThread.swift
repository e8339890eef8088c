// Looks right: no thread takes the player's lock with the library's in hand. Wrong: the one that has the library's
// waits for the one that takes the player's, and that is the same circle.

import DeadlockDetection
import Foundation

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

  /// Makes the list anew, of all songs.
  func fill() {
    listLock.withLock {
      list = libraryLock.withLock { library.sorted() }
    }
  }

  /// Plays the next song of the list.
  func next() {
    playerLock.withLock {
      current = listLock.withLock { list.isEmpty ? nil : list.removeFirst() }
    }
  }

  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    libraryLock.withLock {
      _ = library.remove(song)
      let isStopped = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        self.playerLock.withLock {
          if self.current == song { self.current = nil }
        }
        isStopped.signal()
      }
      isStopped.wait()
    }
  }
}
