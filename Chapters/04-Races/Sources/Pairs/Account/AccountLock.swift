import Foundation

extension Locked {
  // Sendable because `money` is read and written under `lock` only.
  final class Account: @unchecked Sendable {
    private let lock = NSLock()
    private var money: Int

    init(balance: Int) {
      money = balance
    }

    func withdraw(_ amount: Int) -> Bool {
      lock.withLock {
        guard money >= amount else { return false }
        money -= amount
        return true
      }
    }

    var balance: Int { lock.withLock { money } }
  }
}
