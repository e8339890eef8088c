import ControlledDispatch  // its NSLock is spelled as Foundation's, and the check gives the turns

/// An account. Its money is used under its lock only, and the check sees each use. It stays as it is.
// Sendable because `money` is read and written under `lock` only.
final class Account: @unchecked Sendable {
  let number: Int
  let lock = NSLock()
  var money: Int

  /// - Parameter number: No two accounts have the same.
  init(number: Int, money: Int) {
    self.number = number
    self.money = money
  }
}

/// Moves money between accounts, on as many threads as you like.
///
/// The check uses `Account`, `init()`, `transfer(_:from:to:)` and `total(of:)`.
final class Bank: Sendable {
  // region init
  init() {}
  // endregion

  // region transfer
  /// Moves the amount if the payer has it, and does nothing otherwise.
  func transfer(_ amount: Int, from payer: Account, to payee: Account) {
    guard payer !== payee else { return }
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

  // region total
  /// The money in some accounts, each named once, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    let accounts = accounts.sorted { $0.number < $1.number }
    for account in accounts { account.lock.lock() }
    defer { for account in accounts { account.lock.unlock() } }
    return accounts.reduce(0) { $0 + $1.money }
  }
  // endregion
}
