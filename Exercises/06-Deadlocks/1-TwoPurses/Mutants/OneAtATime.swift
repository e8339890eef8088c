// Looks right: who holds one lock at a time never waits with another in hand. Wrong: between the two the
// money is nowhere, and a total can see that.

extension Bank {
  // region transfer
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    let isTaken = payer.lock.withLock {
      guard payer.money >= amount else { return false }
      payer.money -= amount
      return true
    }
    if isTaken { payee.lock.withLock { payee.money += amount } }
  }
  // endregion
}
