/// The line-by-line port of the queue, and wrong: at the `await` other calls run.
actor AuditedAccountReentrantActor: AuditedAccount {
  private(set) var balance: Int

  init(balance: Int) {
    self.balance = balance
  }

  func withdraw(_ amount: Int, approval: @Sendable () async -> Void) async -> Bool {
    guard balance >= amount else { return false }
    await approval()
    balance -= amount
    return true
  }
}
