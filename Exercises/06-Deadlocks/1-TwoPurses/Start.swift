extension Bank {
  // region transfer
  // TODO: Let no transfer and no total wait for ever, whoever does what at the same time.
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    payer.lock.withLock {
      payee.lock.withLock {
        guard payer.money >= amount else { return }
        payer.money -= amount
        payee.money += amount
      }
    }
  }
  // endregion

  // region total
  /// The money in some accounts, each named once, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    for account in accounts { account.lock.lock() }
    defer { for account in accounts { account.lock.unlock() } }
    return accounts.reduce(0) { $0 + $1.money }
  }
  // endregion
}
