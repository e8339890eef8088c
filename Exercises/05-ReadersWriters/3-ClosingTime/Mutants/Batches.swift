// Looks right: after a cleaner come the readers that wait, and after them a cleaner, so nobody starves. Wrong:
// a reader goes in before a cleaner that came before it.

extension ReadingRoom {
  // region state
  private let condition = NSCondition()
  private var readers = 0
  private var isCleaned = false
  private var waitingReaders = 0
  private var waitingCleaners = 0
  /// How many of the readers that waited when a cleaner left are still to go in.
  private var batch = 0
  private var cleanings = 0
  // endregion

  // region enter
  /// Lets a reader in, when it is its turn.
  func enter() {
    condition.withLock {
      if isCleaned || waitingCleaners > 0 {
        let before = cleanings
        waitingReaders += 1
        while cleanings == before { condition.wait() }
        batch -= 1
      }
      readers += 1
    }
  }
  // endregion

  // region beginCleaning
  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    condition.withLock {
      waitingCleaners += 1
      while isCleaned || readers > 0 || batch > 0 { condition.wait() }
      waitingCleaners -= 1
      isCleaned = true
    }
  }
  // endregion

  // region endCleaning
  /// Lets a cleaner out.
  func endCleaning() {
    condition.withLock {
      isCleaned = false
      cleanings += 1
      batch = waitingReaders
      waitingReaders = 0
      condition.broadcast()
    }
  }
  // endregion
}
