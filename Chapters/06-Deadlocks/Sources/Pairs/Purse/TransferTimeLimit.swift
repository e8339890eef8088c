import Dispatch

extension TimeLimited {
  // Sendable because `money` is used between `wait` and `signal` of `turn` only.
  final class Purse: @unchecked Sendable {
    private let turn = DispatchSemaphore(value: 1)
    private var money: Int

    init(number: Int, balance: Int) {
      money = balance
    }

    /// Whether it was paid: not where the money is missing, and not where the other purse is in use for too long.
    func transfer(_ amount: Int, to other: Purse) -> Bool {
      turn.wait()
      defer { turn.signal() }
      guard money >= amount else { return false }
      guard other.turn.wait(timeout: .now() + .milliseconds(20)) == .success else { return false }
      defer { other.turn.signal() }
      money -= amount
      other.money += amount
      return true
    }

    var balance: Int {
      turn.wait()
      defer { turn.signal() }
      return money
    }
  }
}
