extension Isolated {
  actor Ledger {
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
