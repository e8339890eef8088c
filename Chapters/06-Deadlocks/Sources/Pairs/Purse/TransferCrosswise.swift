import Foundation

extension LockedCrosswise {
  // Sendable because `money` is used under `lock` only.
  final class Purse: @unchecked Sendable {
    private let lock = NSLock()
    private var money: Int

    init(number: Int, balance: Int) {
      money = balance
    }

    func transfer(_ amount: Int, to other: Purse) {
      lock.withLock {
        guard money >= amount else { return }
        money -= amount
        other.lock.withLock { other.money += amount }
      }
    }

    var balance: Int { lock.withLock { money } }
  }
}
