// Looks right: one lock at a time, and no cycle is left. Wrong: the player's song is changed under
// the library's lock, which does not keep `next` out.

extension Jukebox {
  // region remove
  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    libraryLock.withLock {
      library.remove(song)
      if current == song { current = nil }
    }
  }
  // endregion
}
