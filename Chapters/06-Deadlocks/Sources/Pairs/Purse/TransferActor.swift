extension Isolated {
  actor Purse {
    private(set) var balance: Int

    init(number: Int, balance: Int) {
      self.balance = balance
    }

    /// Calls the other actor, which may be calling this one. In between the amount is in neither purse.
    func transfer(_ amount: Int, to other: Purse) async {
      guard balance >= amount else { return }
      balance -= amount
      await other.receive(amount)
    }

    private func receive(_ amount: Int) { balance += amount }
  }
}
