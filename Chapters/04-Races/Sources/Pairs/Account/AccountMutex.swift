import Synchronization

extension Mutexed {
  final class Account: Sendable {
    private let money: Mutex<Int>

    init(balance: Int) {
      money = Mutex(balance)
    }

    func withdraw(_ amount: Int) -> Bool {
      money.withLock { money in
        guard money >= amount else { return false }
        money -= amount
        return true
      }
    }

    var balance: Int { money.withLock { $0 } }
  }
}
