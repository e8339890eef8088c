extension Plain {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class Account: @unchecked Sendable {
    private(set) var balance: Int

    init(balance: Int) {
      self.balance = balance
    }

    func withdraw(_ amount: Int) -> Bool {
      guard balance >= amount else { return false }
      balance -= amount
      return true
    }
  }
}
