#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because both balances are read and written on `queue` only.
public final class LedgerSerialQueue: Ledger, @unchecked Sendable {
  private let queue = DispatchQueue(label: "ledger")
  private var checking: Int
  private var savings: Int

  public init(checking: Int, savings: Int) {
    self.checking = checking
    self.savings = savings
  }

  public func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    queue.sync {
      checking -= amount
      pause()
      savings += amount
    }
  }

  public var total: Int { queue.sync { checking + savings } }
}
