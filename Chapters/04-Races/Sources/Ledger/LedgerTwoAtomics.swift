#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

/// Free of data races, and torn all the same: two atomics are two steps.
public final class LedgerTwoAtomics: Ledger {
  private let checking: Atomic<Int>
  private let savings: Atomic<Int>

  public init(checking: Int, savings: Int) {
    self.checking = Atomic(checking)
    self.savings = Atomic(savings)
  }

  public func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    checking.subtract(amount, ordering: .sequentiallyConsistent)
    pause()
    savings.add(amount, ordering: .sequentiallyConsistent)
  }

  public var total: Int {
    checking.load(ordering: .sequentiallyConsistent)
      + savings.load(ordering: .sequentiallyConsistent)
  }
}
