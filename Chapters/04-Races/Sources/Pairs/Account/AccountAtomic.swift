import Synchronization

extension Lockfree {
  final class Account: Sendable {
    private let money: Atomic<Int>

    init(balance: Int) {
      money = Atomic(balance)
    }

    /// The act takes effect only if the balance is still, or again, the one that was checked; otherwise
    /// the check is made again.
    func withdraw(_ amount: Int) -> Bool {
      var seen = money.load(ordering: .relaxed)
      while seen >= amount {
        let (exchanged, original) = money.compareExchange(
          expected: seen, desired: seen - amount, ordering: .relaxed)
        if exchanged { return true }
        seen = original
      }
      return false
    }

    var balance: Int { money.load(ordering: .relaxed) }
  }
}
