// Looks right: the lower number first. Wrong: a transfer from an account to itself takes its lock twice.

extension Bank {
  // region transfer
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    let (first, second) = payer.number < payee.number ? (payer, payee) : (payee, payer)
    first.lock.withLock {
      second.lock.withLock {
        guard payer.money >= amount else { return }
        payer.money -= amount
        payee.money += amount
      }
    }
  }
  // endregion
}
