import Dispatch

extension Queued {
  // Sendable because both balances are read and written on `queue` only.
  final class Ledger: @unchecked Sendable {
    private let queue = DispatchQueue(label: "ledger")
    private var checking: Int
    private var savings = 0

    init(checking: Int) {
      self.checking = checking
    }

    func transfer(_ amount: Int) {
      queue.sync {
        checking -= amount
        savings += amount
      }
    }

    var total: Int { queue.sync { checking + savings } }
  }
}
