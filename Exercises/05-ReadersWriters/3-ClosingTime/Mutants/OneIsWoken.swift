// Looks right: whoever leaves wakes the next one. Wrong: it wakes any one, and if it is not that one's turn
// nobody else wakes up.

extension ReadingRoom {
  // region enter
  /// Lets a reader in, when it is its turn.
  func enter() {
    condition.withLock {
      let number = next
      next += 1
      while number != turn || isCleaned { condition.wait() }
      readers += 1
      turn += 1
      condition.signal()
    }
  }
  // endregion

  // region leave
  /// Lets a reader out.
  func leave() {
    condition.withLock {
      readers -= 1
      if readers == 0 { condition.signal() }
    }
  }
  // endregion

  // region endCleaning
  /// Lets a cleaner out.
  func endCleaning() {
    condition.withLock {
      isCleaned = false
      condition.signal()
    }
  }
  // endregion
}
