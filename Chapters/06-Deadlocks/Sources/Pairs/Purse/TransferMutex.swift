import Synchronization

extension Mutexed {
  final class Purse: Sendable {
    private let money: Mutex<Int>

    init(number: Int, balance: Int) {
      money = Mutex(balance)
    }

    /// Holds one lock at a time. In between the amount is in neither purse.
    func transfer(_ amount: Int, to other: Purse) {
      let isTaken = money.withLock { money in
        guard money >= amount else { return false }
        money -= amount
        return true
      }
      guard isTaken else { return }
      other.money.withLock { $0 += amount }
    }

    var balance: Int { money.withLock { $0 } }
  }
}
