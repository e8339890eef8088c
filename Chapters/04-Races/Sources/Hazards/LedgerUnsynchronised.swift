#if EXPLORED
  import ControlledDispatch
#else
  import Interleaving
#endif

// It is Sendable because `Shared` says so of itself, and that is false on purpose: this races. It runs in
// a child process, or under the explorer, only.
public final class LedgerUnsynchronised: Ledger {
  private let checking: Shared<Int>
  private let savings: Shared<Int>

  public init(checking: Int, savings: Int) {
    self.checking = Shared(checking, "checking")
    self.savings = Shared(savings, "savings")
  }

  public func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    checking.value -= amount
    pause()
    savings.value += amount
  }

  public var total: Int { checking.value + savings.value }
}
