import Synchronization

extension LockfreeByHalves {
  /// Free of data races, and torn all the same, also with the strongest ordering: two atomics are two steps.
  final class Ledger: Sendable {
    private let checking: Atomic<Int>
    private let savings = Atomic(0)

    init(checking: Int) {
      self.checking = Atomic(checking)
    }

    func transfer(_ amount: Int) {
      checking.subtract(amount, ordering: .sequentiallyConsistent)
      savings.add(amount, ordering: .sequentiallyConsistent)
    }

    var total: Int {
      checking.load(ordering: .sequentiallyConsistent)
        + savings.load(ordering: .sequentiallyConsistent)
    }
  }
}
