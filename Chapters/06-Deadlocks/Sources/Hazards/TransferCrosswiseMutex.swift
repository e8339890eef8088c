#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class TransferCrosswiseMutex: Purse {
  private let money: Mutex<Int>

  public init(number: Int, balance: Int) {
    money = Mutex(balance)
  }

  public func transfer(
    _ amount: Int, to other: TransferCrosswiseMutex, betweenLocks pause: @Sendable () -> Void
  ) {
    money.withLock { own in
      guard own >= amount else { return }
      pause()
      other.money.withLock { $0 += amount }
      own -= amount
    }
  }

  public var balance: Int { money.withLock { $0 } }
}
