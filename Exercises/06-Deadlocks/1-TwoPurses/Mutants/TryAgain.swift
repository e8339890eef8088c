// Looks right: who does not get the second lock gives the first one back, so nobody waits with a lock in hand.
// Wrong: two can go on giving back and taking again for ever.

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

  /// The money in some accounts, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    let accounts = accounts.sorted { $0.number < $1.number }
    for account in accounts { account.lock.lock() }
    defer { for account in accounts { account.lock.unlock() } }
    return accounts.reduce(0) { $0 + $1.money }
  }
}
