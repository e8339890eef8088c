public actor LedgerActor: Ledger {
  private var checking: Int
  private var savings: Int

  public init(checking: Int, savings: Int) {
    self.checking = checking
    self.savings = savings
  }

  public func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    checking -= amount
    pause()
    savings += amount
  }

  public var total: Int { checking + savings }
}
