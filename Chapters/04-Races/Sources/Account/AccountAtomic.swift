import Synchronization

public final class AccountAtomic: Account {
  private let money: Atomic<Int>

  public init(balance: Int) {
    money = Atomic(balance)
  }

  /// The check and the act are one step only if nobody changed the balance in between; the
  /// compare-and-exchange says so, and otherwise the check is made again.
  public func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) -> Bool {
    var seen = money.load(ordering: .relaxed)
    while seen >= amount {
      pause()
      let (exchanged, original) = money.compareExchange(
        expected: seen, desired: seen - amount, ordering: .relaxed)
      if exchanged { return true }
      seen = original
    }
    return false
  }

  public var balance: Int { money.load(ordering: .relaxed) }
}
