extension InOneStep {
  /// Check and act are one step, before the wait; a refusal puts the money back.
  actor Account {
    private(set) var balance: Int

    init(balance: Int) {
      self.balance = balance
    }

    func withdraw(_ amount: Int, audit: @Sendable () async -> Bool) async -> Bool {
      guard balance >= amount else { return false }
      balance -= amount
      guard await audit() else {
        balance += amount
        return false
      }
      return true
    }
  }
}
