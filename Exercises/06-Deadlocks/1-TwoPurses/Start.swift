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
  init() {}

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

  /// The money in some accounts, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    for account in accounts { account.lock.lock() }
    defer { for account in accounts { account.lock.unlock() } }
    return accounts.reduce(0) { $0 + $1.money }
  }
}
