// Looks right: whoever pays whom, the richer account comes first, so there is an order. Wrong: of two that
// have the same there is none, and with others it changes while somebody goes by it.

extension Bank {
  // region transfer
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    guard payer !== payee else { return }
    let (one, two) = (payer.lock.withLock { payer.money }, payee.lock.withLock { payee.money })
    let (first, second) = one > two ? (payer, payee) : (payee, payer)
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
