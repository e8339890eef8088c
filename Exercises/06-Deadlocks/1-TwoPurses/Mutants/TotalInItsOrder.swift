// Looks right: transfers take the lower number first, so two of them never wait for each other. Wrong: a total
// takes the locks in the order in which it is given the accounts.

import ControlledDispatch  // its NSLock is spelled as Foundation's, and the check gives the turns

/// An account. Its money is used under its lock only, and the check sees each use. It stays as it is.
final class Account: Sendable {
  let number: Int
  let lock = NSLock()
  private let balance: Shared<Int>

  var money: Int {
    get { balance.value }
    set { balance.value = newValue }
  }

  /// - Parameter number: No two accounts have the same.
  init(number: Int, money: Int) {
    self.number = number
    balance = Shared(money, "money of \(number)")
  }
}

/// Moves money between accounts, on as many threads as you like.
///
/// The check uses `Account`, `init()`, `transfer(_:from:to:)` and `total(of:)`.
final class Bank: Sendable {
  init() {}

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

  /// The money in some accounts, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    for account in accounts { account.lock.lock() }
    defer { for account in accounts { account.lock.unlock() } }
    return accounts.reduce(0) { $0 + $1.money }
  }
}
