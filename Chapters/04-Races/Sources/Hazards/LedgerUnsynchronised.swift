// The claim of Sendable is false on purpose: this runs in a child process only.
final class LedgerUnsynchronised: Ledger, @unchecked Sendable {
  private var checking: Int
  private var savings: Int

  init(checking: Int, savings: Int) {
    self.checking = checking
    self.savings = savings
  }

  func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    checking -= amount
    pause()
    savings += amount
  }

  var total: Int { checking + savings }
}
