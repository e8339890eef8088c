import Synchronization

extension MutexedCrosswise {
  final class Purse: Sendable {
    private let money: Mutex<Int>

    init(number: Int, balance: Int) {
      money = Mutex(balance)
    }

    func transfer(_ amount: Int, to other: Purse) {
      money.withLock { own in
        guard own >= amount else { return }
        own -= amount
        other.money.withLock { $0 += amount }
      }
    }

    var balance: Int { money.withLock { $0 } }
  }
}
