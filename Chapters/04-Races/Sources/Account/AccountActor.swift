public actor AccountActor: Account {
  public private(set) var balance: Int

  public init(balance: Int) {
    self.balance = balance
  }

  public func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) -> Bool {
    guard balance >= amount else { return false }
    pause()
    balance -= amount
    return true
  }
}
