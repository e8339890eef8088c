/// Check and act are one synchronous step; the wait comes after.
public actor AuditedAccountActor: AuditedAccount {
  public private(set) var balance: Int

  public init(balance: Int) {
    self.balance = balance
  }

  public func withdraw(_ amount: Int, approval: @Sendable () async -> Void) async -> Bool {
    guard balance >= amount else { return false }
    balance -= amount
    await approval()
    return true
  }
}
