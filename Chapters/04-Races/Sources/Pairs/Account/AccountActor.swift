extension Isolated {
  actor Account {
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
