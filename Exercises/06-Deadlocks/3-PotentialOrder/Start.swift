extension Jukebox {
  // region remove
  // TODO: Let the detector find no order of locks that closes a cycle.
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
