// Looks right: who only tries never waits, so there is no cycle. Wrong: where the player's lock is
// taken by somebody else, the song plays on.

extension Jukebox {
  // region remove
  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    libraryLock.withLock {
      library.remove(song)
      if playerLock.try() {
        if current == song { current = nil }
        playerLock.unlock()
      }
    }
  }
  // endregion
}
