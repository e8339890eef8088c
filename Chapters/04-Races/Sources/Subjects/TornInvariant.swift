import Workbook

extension Subject {
  static let tornInvariant = Subject(
    "torn-invariant",
    asks: "A moves 30 of 100 from checking to savings. What total does B see?",
    right: .allowed("total 100"),
    implementations: [
      .before(
        "two plain variables", .surprising("total 70", "B reads between the two halves"),
        .surprising("total 130", "B reads checking before the transfer, savings after it")
          .onlyExplored,
        .race
      ) { reading(of: Plain.Ledger(checking: 100)) }
      .code("LedgerPlain.swift", "func transfer"),
      .before("serial queue") { reading(of: Queued.Ledger(checking: 100)) }
        .code("LedgerSerialQueue.swift", "queue.sync"),
      .before("NSLock") { reading(of: Locked.Ledger(checking: 100)) }
        .code("LedgerLock.swift", "lock.withLock"),
      .after("Mutex") { reading(of: Mutexed.Ledger(checking: 100)) }
        .code("LedgerMutex.swift", "balances.withLock"),
      .after("actor") { reading(of: Isolated.Ledger(checking: 100)) }
        .code("LedgerActor.swift", "actor Ledger"),
      .after(
        "two atomics", .surprising("total 70", "no data race, and torn all the same"),
        .surprising("total 130", "checking before the transfer, savings after it").onlyExplored
      ) { reading(of: LockfreeByHalves.Ledger(checking: 100), stoppedAt: .atomic(3)) }
      .code("LedgerTwoAtomics.swift", "func transfer"),
      .after(
        "one atomic of two words", .allowed("total 100", "half a transfer is nowhere to be seen"),
        meanwhile: .comesIn
      ) { reading(of: Lockfree.Ledger(checking: 100), stoppedAt: .atomic(2)) }
      .code("LedgerAtomic.swift", "let moved"),
    ])
}

/// Two balances whose total never changes.
private protocol Bookkeeping: AnyObject, Sendable {
  func transfer(_ amount: Int) async
  var total: Int { get async }
}

extension Plain.Ledger: Bookkeeping {}
extension Queued.Ledger: Bookkeeping {}
extension Locked.Ledger: Bookkeeping {}
extension Mutexed.Ledger: Bookkeeping {}
extension Isolated.Ledger: Bookkeeping {}
extension LockfreeByHalves.Ledger: Bookkeeping {}
extension Lockfree.Ledger: Bookkeeping {}

/// A is stopped halfway. An atomic that must not overflow is loaded first, and then exchanged.
private func reading(of ledger: some Bookkeeping, stoppedAt stop: Stop = .change(2)) -> Encounter {
  Encounter(over: ledger, stoppedAt: stop) {
    await ledger.transfer(30)
  } by: {
    await ledger.total
  } outcome: { _, total in
    "total \(total)"
  }
}
