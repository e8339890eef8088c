// Looks right: one lock at a time, and no cycle is left. Wrong: the song plays on.

extension Jukebox {
  // region remove
  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    libraryLock.withLock { _ = library.remove(song) }
  }
  // endregion
}
