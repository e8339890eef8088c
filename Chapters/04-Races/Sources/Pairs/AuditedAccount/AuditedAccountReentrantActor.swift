extension Reentrant {
  /// The line-by-line port, and wrong: at the `await` other calls come in.
  actor Account {
    private(set) var balance: Int

    init(balance: Int) {
      self.balance = balance
    }

    func withdraw(_ amount: Int, audit: @Sendable () async -> Bool) async -> Bool {
      guard balance >= amount, await audit() else { return false }
      balance -= amount
      return true
    }
  }
}
