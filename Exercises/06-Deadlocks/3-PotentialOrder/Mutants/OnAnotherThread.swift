// Looks right: no thread takes the player's lock with the library's in hand. Wrong: the one that has the library's
// waits for the one that takes the player's, and that is the same cycle.

// region imports
import DeadlockDetection
import Foundation

// endregion

extension Jukebox {
  // region remove
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
  // endregion
}
