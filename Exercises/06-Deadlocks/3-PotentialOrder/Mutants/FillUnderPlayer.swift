// Looks right: `next` no longer takes the list's lock under the player's. Wrong: to keep the two in step, `fill` now
// does, with the library's in hand after it, and `remove` takes the player's under the library's.

extension Jukebox {
  // region fill
  /// Makes the list anew, of all songs.
  func fill() {
    playerLock.withLock {
      listLock.withLock {
        list = libraryLock.withLock { library.sorted() }
      }
    }
  }
  // endregion

  // region next
  /// Plays the next song of the list.
  func next() {
    let song = listLock.withLock { list.isEmpty ? nil : list.removeFirst() }
    playerLock.withLock { current = song }
  }
  // endregion

  // region remove
  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    libraryLock.withLock {
      library.remove(song)
      playerLock.withLock {
        if current == song { current = nil }
      }
    }
  }
  // endregion
}
