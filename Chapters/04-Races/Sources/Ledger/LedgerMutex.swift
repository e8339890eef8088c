#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class LedgerMutex: Ledger {
  private struct Balances {
    var checking: Int
    var savings: Int
  }

  private let balances: Mutex<Balances>

  public init(checking: Int, savings: Int) {
    balances = Mutex(Balances(checking: checking, savings: savings))
  }

  public func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    balances.withLock { balances in
      balances.checking -= amount
      pause()
      balances.savings += amount
    }
  }

  public var total: Int { balances.withLock { $0.checking + $0.savings } }
}
