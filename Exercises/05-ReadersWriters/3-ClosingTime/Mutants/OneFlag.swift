// Looks right: a cleaner that waits hangs out a sign, and no reader passes it. Wrong: the first cleaner takes
// down the sign of the second.

extension ReadingRoom {
  // region state
  private let condition = NSCondition()
  private var readers = 0
  private var isCleaned = false
  private var isClosing = false
  // endregion

  // region enter
  /// Lets a reader in, when it is its turn.
  func enter() {
    condition.withLock {
      while isCleaned || isClosing { condition.wait() }
      readers += 1
    }
  }
  // endregion

  // region beginCleaning
  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    condition.withLock {
      isClosing = true
      while isCleaned || readers > 0 { condition.wait() }
      isClosing = false
      isCleaned = true
    }
  }
  // endregion
}
