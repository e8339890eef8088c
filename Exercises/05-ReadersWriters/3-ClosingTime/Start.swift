extension ReadingRoom {
  // region state
  private let condition = NSCondition()
  private var readers = 0
  private var isCleaned = false
  // endregion

  // region enter
  // TODO: Let nobody in before those who came earlier.
  /// Lets a reader in, when it is its turn.
  func enter() {
    condition.withLock {
      while isCleaned { condition.wait() }
      readers += 1
    }
  }
  // endregion

  // region beginCleaning
  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    condition.withLock {
      while isCleaned || readers > 0 { condition.wait() }
      isCleaned = true
    }
  }
  // endregion
}
