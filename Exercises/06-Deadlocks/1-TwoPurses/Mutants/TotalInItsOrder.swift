// Looks right: transfers take the lower number first, so two of them never wait for each other. Wrong: a total
// takes the locks in the order in which it is given the accounts.

extension Bank {
  // region total
  /// The money in some accounts, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    for account in accounts { account.lock.lock() }
    defer { for account in accounts { account.lock.unlock() } }
    return accounts.reduce(0) { $0 + $1.money }
  }
  // endregion
}
