// Looks right: whoever cannot pay is turned away before a second lock is waited for. Wrong: the first
// lock may be the payee's, and the payer's money is read without its own.

extension Bank {
  // region transfer
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    guard payer !== payee else { return }
    let (first, second) = payer.number < payee.number ? (payer, payee) : (payee, payer)
    first.lock.lock()
    guard payer.money >= amount else { return first.lock.unlock() }
    second.lock.lock()
    payer.money -= amount
    payee.money += amount
    first.lock.unlock()
    second.lock.unlock()
  }
  // endregion
}
