#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because `money` is read and written under `lock` only.
public final class AccountLock: Account, @unchecked Sendable {
  private let lock = NSLock()
  private var money: Int

  public init(balance: Int) {
    money = balance
  }

  public func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) -> Bool {
    lock.withLock {
      guard money >= amount else { return false }
      pause()
      money -= amount
      return true
    }
  }

  public var balance: Int { lock.withLock { money } }
}
