import Foundation

extension Locked {
  // Sendable because both balances are read and written under `lock` only.
  final class Ledger: @unchecked Sendable {
    private let lock = NSLock()
    private var checking: Int
    private var savings = 0

    init(checking: Int) {
      self.checking = checking
    }

    func transfer(_ amount: Int) {
      lock.withLock {
        checking -= amount
        savings += amount
      }
    }

    var total: Int { lock.withLock { checking + savings } }
  }
}
