#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class TransferMutex: Purse {
  private let money: Mutex<Int>

  public init(number: Int, balance: Int) {
    money = Mutex(balance)
  }

  /// Holds one lock at a time. In between the amount is in neither purse.
  public func transfer(
    _ amount: Int, to other: TransferMutex, betweenLocks pause: @Sendable () -> Void
  ) {
    let isTaken = money.withLock { money in
      guard money >= amount else { return false }
      money -= amount
      return true
    }
    guard isTaken else { return }
    pause()
    other.money.withLock { $0 += amount }
  }

  public var balance: Int { money.withLock { $0 } }
}
