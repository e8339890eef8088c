#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because `money` is read and written on `queue` only.
public final class AccountSerialQueue: Account, @unchecked Sendable {
  private let queue = DispatchQueue(label: "account")
  private var money: Int

  public init(balance: Int) {
    money = balance
  }

  public func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) -> Bool {
    queue.sync {
      guard money >= amount else { return false }
      pause()
      money -= amount
      return true
    }
  }

  public var balance: Int { queue.sync { money } }
}
