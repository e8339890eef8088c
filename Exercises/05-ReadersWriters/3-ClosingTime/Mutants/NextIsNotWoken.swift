// Looks right: all are woken when the room becomes free. Wrong: the second reader in line was woken before it
// was its turn, and sleeps until the first one leaves.

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
    }
  }
  // endregion
}
