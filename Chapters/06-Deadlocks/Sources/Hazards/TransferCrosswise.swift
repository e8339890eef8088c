#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because `money` is used under `lock` only.
public final class TransferCrosswise: Purse, @unchecked Sendable {
  private let lock = NSLock()
  private var money: Int

  public init(number: Int, balance: Int) {
    money = balance
  }

  public func transfer(
    _ amount: Int, to other: TransferCrosswise, betweenLocks pause: @Sendable () -> Void
  ) {
    lock.withLock {
      guard money >= amount else { return }
      pause()
      other.lock.withLock {
        money -= amount
        other.money += amount
      }
    }
  }

  public var balance: Int { lock.withLock { money } }
}
