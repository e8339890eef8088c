#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because `money` is used under `lock` only.
public final class TransferLock: Purse, @unchecked Sendable {
  private let number: Int
  private let lock = NSLock()
  private var money: Int

  public init(number: Int, balance: Int) {
    self.number = number
    money = balance
  }

  /// Takes the lock of the lower number first, whoever pays.
  public func transfer(
    _ amount: Int, to other: TransferLock, betweenLocks pause: @Sendable () -> Void
  ) {
    guard number != other.number else { return }
    let (first, second) = number < other.number ? (self, other) : (other, self)
    first.lock.withLock {
      pause()
      second.lock.withLock {
        guard money >= amount else { return }
        money -= amount
        other.money += amount
      }
    }
  }

  public var balance: Int { lock.withLock { money } }
}
