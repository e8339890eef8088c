// Looks right: it looks at the player first, with no other lock, and most songs do not play. Wrong: for the one that
// plays, the old order is still there.

extension Jukebox {
  // region remove
  /// Takes a song out of the library, and stops it if it plays.
  func remove(_ song: String) {
    let isPlaying = playerLock.withLock { current == song }
    libraryLock.withLock {
      library.remove(song)
      if isPlaying { playerLock.withLock { current = nil } }
    }
  }
  // endregion
}
