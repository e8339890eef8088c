import Synchronization

extension Mutexed {
  final class Ledger: Sendable {
    private struct Balances {
      var checking: Int
      var savings = 0
    }

    private let balances: Mutex<Balances>

    init(checking: Int) {
      balances = Mutex(Balances(checking: checking))
    }

    func transfer(_ amount: Int) {
      balances.withLock { balances in
        balances.checking -= amount
        balances.savings += amount
      }
    }

    var total: Int { balances.withLock { $0.checking + $0.savings } }
  }
}
