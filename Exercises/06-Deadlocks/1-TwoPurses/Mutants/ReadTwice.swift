// Looks right: two readings that agree show what was there. Wrong: money can go there and back
// between them, and the next reading agrees with a moment that never was.

extension Bank {
  // region total
  /// The money in some accounts, at one moment: nothing is on its way.
  func total(of accounts: [Account]) -> Int {
    func read() -> [Int] { accounts.map { account in account.lock.withLock { account.money } } }
    var last = read()
    while true {
      let now = read()
      if now == last { return now.reduce(0, +) }
      last = now
    }
  }
  // endregion
}
