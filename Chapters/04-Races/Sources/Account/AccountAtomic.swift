#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class AccountAtomic: Account {
  private let money: Atomic<Int>

  public init(balance: Int) {
    money = Atomic(balance)
  }

  /// The act takes effect only if the balance is still, or again, the one that was checked; otherwise
  /// the check is made again.
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
