// Looks right: readers stay out while a cleaner waits. Wrong: so do readers that came before it, and
// cleaners that keep coming let none in.

extension ReadingRoom {
  // region state
  private let condition = NSCondition()
  private var readers = 0
  private var isCleaned = false
  private var waitingCleaners = 0
  // endregion

  // region enter
  /// Lets a reader in, when it is its turn.
  func enter() {
    condition.withLock {
      while isCleaned || waitingCleaners > 0 { condition.wait() }
      readers += 1
    }
  }
  // endregion

  // region beginCleaning
  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    condition.withLock {
      waitingCleaners += 1
      while isCleaned || readers > 0 { condition.wait() }
      waitingCleaners -= 1
      isCleaned = true
    }
  }
  // endregion
}
