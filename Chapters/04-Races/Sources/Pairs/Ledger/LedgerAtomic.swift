import Synchronization

extension Lockfree {
  /// Both balances in one atomic of two words, so that no one sees half a transfer.
  final class Ledger: Sendable {
    private let balances: Atomic<WordPair>

    init(checking: Int) {
      balances = Atomic(WordPair(checking: checking, savings: 0))
    }

    func transfer(_ amount: Int) {
      var seen = balances.load(ordering: .relaxed)
      while true {
        let moved = WordPair(checking: seen.checking - amount, savings: seen.savings + amount)
        let (exchanged, original) = balances.compareExchange(
          expected: seen, desired: moved, ordering: .relaxed)
        if exchanged { return }
        seen = original
      }
    }

    var total: Int {
      let seen = balances.load(ordering: .relaxed)
      return seen.checking + seen.savings
    }
  }
}

extension WordPair {
  fileprivate init(checking: Int, savings: Int) {
    self.init(first: UInt(bitPattern: checking), second: UInt(bitPattern: savings))
  }

  fileprivate var checking: Int { Int(bitPattern: first) }
  fileprivate var savings: Int { Int(bitPattern: second) }
}
