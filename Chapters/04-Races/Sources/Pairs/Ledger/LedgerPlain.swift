extension Plain {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class Ledger: @unchecked Sendable {
    private var checking: Int
    private var savings = 0

    init(checking: Int) {
      self.checking = checking
    }

    func transfer(_ amount: Int) {
      checking -= amount
      savings += amount
    }

    var total: Int { checking + savings }
  }
}
