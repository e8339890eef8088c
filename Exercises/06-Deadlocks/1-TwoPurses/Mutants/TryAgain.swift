// Looks right: who does not get the second lock gives the first one back, so nobody waits with a lock in hand.
// Wrong: two can go on giving back and taking again for ever.

extension Bank {
  // region transfer
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    guard payer !== payee else { return }
    while true {
      payer.lock.lock()
      if payee.lock.try() { break }
      payer.lock.unlock()
    }
    defer {
      payee.lock.unlock()
      payer.lock.unlock()
    }
    guard payer.money >= amount else { return }
    payer.money -= amount
    payee.money += amount
  }
  // endregion
}
