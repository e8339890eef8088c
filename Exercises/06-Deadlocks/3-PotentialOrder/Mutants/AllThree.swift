// Looks right: the list's lock before the library's, as `fill` has it. Wrong: the player's lock is still taken after
// the list's, and `next` takes it before.

extension Jukebox {
  // region remove
  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    listLock.withLock {
      libraryLock.withLock {
        library.remove(song)
        playerLock.withLock {
          if current == song { current = nil }
        }
      }
    }
  }
  // endregion
}
