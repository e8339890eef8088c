import Foundation

extension Locked {
  // Sendable because `money` is used under `lock` only.
  final class Purse: @unchecked Sendable {
    private let number: Int
    private let lock = NSLock()
    private var money: Int

    init(number: Int, balance: Int) {
      self.number = number
      money = balance
    }

    /// Takes the lock of the lower number first, whoever pays.
    func transfer(_ amount: Int, to other: Purse) {
      guard number != other.number else { return }
      let (first, second) = number < other.number ? (self, other) : (other, self)
      first.lock.withLock {
        second.lock.withLock {
          guard money >= amount else { return }
          money -= amount
          other.money += amount
        }
      }
    }

    var balance: Int { lock.withLock { money } }
  }
}
