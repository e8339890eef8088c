#if EXPLORED
  import ControlledDispatch
  import struct Synchronization.WordPair
#else
  import Synchronization
#endif

/// Both balances in one atomic of two words, so that no one sees half a transfer.
public final class LedgerAtomic: Ledger {
  private let balances: Atomic<WordPair>

  public init(checking: Int, savings: Int) {
    balances = Atomic(WordPair(checking: checking, savings: savings))
  }

  public func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) {
    var seen = balances.load(ordering: .relaxed)
    while true {
      let moved = WordPair(checking: seen.checking - amount, savings: seen.savings + amount)
      pause()
      let (exchanged, original) = balances.compareExchange(
        expected: seen, desired: moved, ordering: .relaxed)
      if exchanged { return }
      seen = original
    }
  }

  public var total: Int {
    let seen = balances.load(ordering: .relaxed)
    return seen.checking + seen.savings
  }
}

extension WordPair {
  fileprivate init(checking: Int, savings: Int) {
    self.init(first: UInt(bitPattern: checking), second: UInt(bitPattern: savings))
  }

  fileprivate var checking: Int { Int(bitPattern: first) }
  fileprivate var savings: Int { Int(bitPattern: second) }
}
