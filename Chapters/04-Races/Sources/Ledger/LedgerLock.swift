#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because both balances are read and written under `lock` only.
public final class LedgerLock: Ledger, @unchecked Sendable {
  private let lock = NSLock()
  private var checking: Int
  private var savings: Int

  public init(checking: Int, savings: Int) {
    self.checking = checking
    self.savings = savings
  }

  public func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    lock.withLock {
      checking -= amount
      pause()
      savings += amount
    }
  }

  public var total: Int { lock.withLock { checking + savings } }
}
