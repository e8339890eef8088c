// Looks right: who is woken goes in when it is its turn. Wrong: it looks once, and not again when it wakes.

extension ReadingRoom {
  // region beginCleaning
  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    condition.withLock {
      let number = next
      next += 1
      if number != turn || isCleaned || readers > 0 { condition.wait() }
      isCleaned = true
      turn += 1
    }
  }
  // endregion
}
