public actor TransferActor: Purse {
  public private(set) var balance: Int

  public init(number: Int, balance: Int) {
    self.balance = balance
  }

  /// Calls the other actor, which may be calling this one. In between the amount is in neither purse.
  public func transfer(
    _ amount: Int, to other: TransferActor, betweenLocks pause: @Sendable () -> Void
  ) async {
    guard balance >= amount else { return }
    balance -= amount
    pause()
    await other.receive(amount)
  }

  private func receive(_ amount: Int) { balance += amount }
}
