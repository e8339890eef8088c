// Looks right: with one lock around it all there is no second order. Wrong: a transfer that waits for one account
// holds up all others.

extension Bank {
  // region init
  private let all = NSLock()

  init() {}
  // endregion

  // region transfer
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    all.withLock {
      guard payer !== payee else { return }
      payer.lock.withLock {
        payee.lock.withLock {
          guard payer.money >= amount else { return }
          payer.money -= amount
          payee.money += amount
        }
      }
    }
  }
  // endregion

  // region total
  /// The money in some accounts, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    all.withLock {
      for account in accounts { account.lock.lock() }
      defer { for account in accounts { account.lock.unlock() } }
      return accounts.reduce(0) { $0 + $1.money }
    }
  }
  // endregion
}
