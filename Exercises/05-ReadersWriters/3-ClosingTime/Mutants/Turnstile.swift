// Looks right: a cleaner keeps the turnstile until the room is empty, so nobody passes it. Wrong: those who
// wait at the turnstile have no order there, for a lock promises none.

extension ReadingRoom {
  // region state
  private let condition = NSCondition()
  private let turnstile = NSLock()
  private var readers = 0
  private var isCleaned = false
  // endregion

  // region enter
  /// Lets a reader in, when it is its turn.
  func enter() {
    turnstile.withLock {
      condition.withLock {
        while isCleaned { condition.wait() }
        readers += 1
      }
    }
  }
  // endregion

  // region beginCleaning
  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    turnstile.withLock {
      condition.withLock {
        while isCleaned || readers > 0 { condition.wait() }
        isCleaned = true
      }
    }
  }
  // endregion
}
