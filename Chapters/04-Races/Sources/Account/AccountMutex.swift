#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class AccountMutex: Account {
  private let money: Mutex<Int>

  public init(balance: Int) {
    money = Mutex(balance)
  }

  public func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) -> Bool {
    money.withLock { money in
      guard money >= amount else { return false }
      pause()
      money -= amount
      return true
    }
  }

  public var balance: Int { money.withLock { $0 } }
}
