// Looks right: everybody goes in in order. Wrong: a reader waits until the one before it has left.

extension ReadingRoom {
  // region enter
  /// Lets a reader in, when it is its turn.
  func enter() {
    beginCleaning()
  }
  // endregion

  // region leave
  /// Lets a reader out.
  func leave() {
    endCleaning()
  }
  // endregion
}
