/// Check and act are one step, before the wait; a refusal puts the money back.
public actor AuditedAccountActor: AuditedAccount {
  public private(set) var balance: Int

  public init(balance: Int) {
    self.balance = balance
  }

  public func withdraw(_ amount: Int, audit: @Sendable () async -> Bool) async -> Bool {
    guard balance >= amount else { return false }
    balance -= amount
    guard await audit() else {
      balance += amount
      return false
    }
    return true
  }
}
