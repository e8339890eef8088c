import Interleaving
import RacesExplored
import Workbook

import func ControlledDispatch.strands

// What the explorer runs of the six hazards and of their cures that block or spin: the very files that the
// chapter teaches, compiled against stand-ins.
//
// `SessionStoreStaticLet` is not among them: a `static let` outlives an execution, so only the first one
// would see it made.

extension Scenario {
  static let criticalSection = Scenario(
    "critical-section",
    asks: "A and B each print a receipt of two lines. Do the lines mix?",
    versions: [
      Version(
        "no synchronisation",
        .allowed("receipts whole"),
        .surprising("receipts mixed", "B is in the section while A is"),
        .race, strategy: .everyClass
      ) {
        let printer = RacesExplored.ReceiptPrinterUnsynchronised()
        return receipts({ printer.printReceipt(for: $0) {} }, { printer.roll })
      },
      .guarded("serial queue", .allowed("receipts whole")) { pause in
        let printer = RacesExplored.ReceiptPrinterSerialQueue()
        return receipts({ printer.printReceipt(for: $0, betweenLines: pause) }, { printer.roll })
      },
      .guarded("NSLock", .allowed("receipts whole")) { pause in
        let printer = RacesExplored.ReceiptPrinterLock()
        return receipts({ printer.printReceipt(for: $0, betweenLines: pause) }, { printer.roll })
      },
      .guarded("Mutex", .allowed("receipts whole")) { pause in
        let printer = RacesExplored.ReceiptPrinterMutex()
        return receipts({ printer.printReceipt(for: $0, betweenLines: pause) }, { printer.roll })
      },
    ])

  static let lostUpdate = Scenario(
    "lost-update",
    asks: "A and B each add 1 to a counter. What is lost?",
    versions: [
      Version(
        "plain variable",
        .allowed("0 lost"),
        .surprising("1 lost", "A overwrites what B wrote"),
        .race, strategy: .everyClass
      ) {
        let counter = RacesExplored.CounterUnsynchronised()
        return additions({ counter.increment {} }, { counter.value })
      },
      .guarded("serial queue", .allowed("0 lost")) { pause in
        let counter = RacesExplored.CounterSerialQueue()
        return additions({ counter.increment(afterReading: pause) }, { counter.value })
      },
      .guarded("NSLock", .allowed("0 lost")) { pause in
        let counter = RacesExplored.CounterLock()
        return additions({ counter.increment(afterReading: pause) }, { counter.value })
      },
      .guarded("Mutex", .allowed("0 lost")) { pause in
        let counter = RacesExplored.CounterMutex()
        return additions({ counter.increment(afterReading: pause) }, { counter.value })
      },
      Version("atomic", .allowed("0 lost"), strategy: .everyClass) {
        let counter = RacesExplored.CounterAtomic()
        return additions({ counter.increment {} }, { counter.value })
      },
    ])

  static let checkThenAct = Scenario(
    "check-then-act",
    asks: "A and B withdraw 80 from 100. What is the balance?",
    versions: [
      Version(
        "plain variable",
        .allowed("1 paid, balance 20"),
        .surprising("2 paid, balance -60", "both checked before either took"),
        .surprising("2 paid, balance 20", "besides, one of them overwrites what the other wrote"),
        .race, strategy: .everyClass
      ) {
        let account = RacesExplored.AccountUnsynchronised(balance: 100)
        return withdrawals({ account.withdraw(80) {} }, { account.balance })
      },
      .guarded("serial queue", .allowed("1 paid, balance 20")) { pause in
        let account = RacesExplored.AccountSerialQueue(balance: 100)
        return withdrawals({ account.withdraw(80, afterChecking: pause) }, { account.balance })
      },
      .guarded("NSLock", .allowed("1 paid, balance 20")) { pause in
        let account = RacesExplored.AccountLock(balance: 100)
        return withdrawals({ account.withdraw(80, afterChecking: pause) }, { account.balance })
      },
      .guarded("Mutex", .allowed("1 paid, balance 20")) { pause in
        let account = RacesExplored.AccountMutex(balance: 100)
        return withdrawals({ account.withdraw(80, afterChecking: pause) }, { account.balance })
      },
      Version("atomic, compare and exchange", .allowed("1 paid, balance 20"), strategy: .everyClass)
      {
        let account = RacesExplored.AccountAtomic(balance: 100)
        return withdrawals({ account.withdraw(80) {} }, { account.balance })
      },
    ])

  // Only A has a middle here. The reduction sees nothing that ties B to it, and were a lock missing it could
  // leave out the schedule that shows it; so these cures are explored exhaustively.
  static let tornInvariant = Scenario(
    "torn-invariant",
    asks: "A moves 30 of 100 to savings. What total does B see?",
    versions: [
      Version(
        "two plain variables",
        .allowed("total 100"),
        .surprising("total 70", "B reads between the two halves"),
        .surprising("total 130", "B reads checking before the transfer, savings after it"),
        .race, strategy: .everyClass
      ) {
        let ledger = RacesExplored.LedgerUnsynchronised(checking: 100, savings: 0)
        return readings({ ledger.transfer(30) {} }, { ledger.total })
      },
      .guarded("serial queue", .allowed("total 100"), strategy: .exhaustive) { pause in
        let ledger = RacesExplored.LedgerSerialQueue(checking: 100, savings: 0)
        return readings({ ledger.transfer(30, betweenHalves: pause) }, { ledger.total })
      },
      .guarded("NSLock", .allowed("total 100"), strategy: .exhaustive) { pause in
        let ledger = RacesExplored.LedgerLock(checking: 100, savings: 0)
        return readings({ ledger.transfer(30, betweenHalves: pause) }, { ledger.total })
      },
      .guarded("Mutex", .allowed("total 100"), strategy: .exhaustive) { pause in
        let ledger = RacesExplored.LedgerMutex(checking: 100, savings: 0)
        return readings({ ledger.transfer(30, betweenHalves: pause) }, { ledger.total })
      },
      Version(
        "two atomics",
        .allowed("total 100"),
        .surprising("total 70", "no data race, and torn all the same"),
        .surprising("total 130", "checking before the transfer, savings after it"),
        strategy: .everyClass
      ) {
        let ledger = RacesExplored.LedgerTwoAtomics(checking: 100, savings: 0)
        return readings({ ledger.transfer(30) {} }, { ledger.total })
      },
      Version("one atomic of two words", .allowed("total 100"), strategy: .everyClass) {
        let ledger = RacesExplored.LedgerAtomic(checking: 100, savings: 0)
        return readings({ ledger.transfer(30) {} }, { ledger.total })
      },
    ])

  static let unsynchronisedArray = Scenario(
    "unsynchronised-array",
    asks: "A and B each append a name. How many names are lost?",
    versions: [
      Version(
        "plain array",
        .allowed("0 lost"),
        .surprising("1 lost", "A writes back the array as it was before B"),
        .race, strategy: .everyClass
      ) {
        let log = RacesExplored.UploadLogUnsynchronised()
        return appends({ log.append($0) {} }, { log.names })
      },
      .guarded("serial queue", .allowed("0 lost")) { pause in
        let log = RacesExplored.UploadLogSerialQueue()
        return appends({ log.append($0, beforeWriting: pause) }, { log.names })
      },
      .guarded("NSLock", .allowed("0 lost")) { pause in
        let log = RacesExplored.UploadLogLock()
        return appends({ log.append($0, beforeWriting: pause) }, { log.names })
      },
      .guarded("Mutex", .allowed("0 lost")) { pause in
        let log = RacesExplored.UploadLogMutex()
        return appends({ log.append($0, beforeWriting: pause) }, { log.names })
      },
    ])

  static let lazyInitialisation = Scenario(
    "lazy-initialisation",
    asks: "A and B ask for the session. How many do they get?",
    versions: [
      Version(
        "lazy var, written out",
        .allowed("1 session"),
        .surprising("2 sessions", "both find none before either has kept its own"),
        .race, strategy: .everyClass
      ) {
        let store = RacesExplored.SessionStoreUnsynchronised { RacesExplored.Session() }
        return sessions { store.session }
      },
      .guarded("serial queue", .allowed("1 session")) { pause in
        let store = RacesExplored.SessionStoreSerialQueue { open(pause) }
        return sessions { store.session }
      },
      .guarded("NSLock", .allowed("1 session")) { pause in
        let store = RacesExplored.SessionStoreLock { open(pause) }
        return sessions { store.session }
      },
      .guarded("Mutex", .allowed("1 session")) { pause in
        let store = RacesExplored.SessionStoreMutex { open(pause) }
        return sessions { store.session }
      },
      Version(
        "AtomicLazyReference", .allowed("1 session", "both may open one, and the first is kept"),
        strategy: .everyClass
      ) {
        let store = RacesExplored.SessionStoreAtomic { RacesExplored.Session() }
        return sessions { store.session }
      },
    ])
}

extension Strategy {
  /// One schedule of each class of schedules that differ only in the order of what commutes.
  fileprivate static let everyClass = reduced(assuming: .controlledSharing)
}

extension Outcome {
  fileprivate static let race = surprising("race", "nothing orders two uses of one variable")
}

extension Version {
  /// A cure that has a middle, where it uses a variable that would race if the middle were not guarded.
  fileprivate static func guarded(
    _ mechanism: String, _ outcome: Outcome, strategy: Strategy = .everyClass,
    run: @escaping @Sendable (_ pause: @escaping @Sendable () -> Void) -> String
  ) -> Version {
    Version(mechanism, outcome, strategy: strategy) {
      let middle = Shared(0, "middle")
      return run { middle.value += 1 }
    }
  }
}

// MARK: What A and B do

// The contracts let an operation be async, and a strand cannot await; so each is handed over as a closure,
// made where its type is known.

private func receipts(
  _ print: @escaping @Sendable (String) -> Void, _ roll: () -> [String]
) -> String {
  both { print($0) }
  return roll().areReceiptsWhole ? "receipts whole" : "receipts mixed"
}

private func additions(_ add: @escaping @Sendable () -> Void, _ value: () -> Int) -> String {
  both { _ in add() }
  return "\(2 - value()) lost"
}

private func withdrawals(
  _ withdraw: @escaping @Sendable () -> Bool, _ balance: () -> Int
) -> String {
  let isPaid = both { _ in withdraw() }
  return "\(isPaid.count { $0 }) paid, balance \(balance())"
}

private func readings(
  _ transfer: @escaping @Sendable () -> Void, _ total: @escaping @Sendable () -> Int
) -> String {
  let seen = Result<Int>()
  strands(transfer, { seen.value = total() })
  return "total \(seen.value!)"
}

private func appends(
  _ append: @escaping @Sendable (String) -> Void, _ names: () -> [String]
) -> String {
  both { append("\($0).jpg") }
  return "\(2 - names().count) lost"
}

private func open(_ pause: () -> Void) -> RacesExplored.Session {
  pause()
  return RacesExplored.Session()
}

private func sessions(_ session: @escaping @Sendable () -> RacesExplored.Session) -> String {
  let sessions = both { _ in session() }
  return sessions[0] === sessions[1] ? "1 session" : "2 sessions"
}

/// A and B do the same, beside each other.
///
/// - Returns: What A came to, then what B did.
@discardableResult
private func both<R>(_ work: @escaping @Sendable (_ name: String) -> R) -> [R] {
  let results = [Result<R>(), Result<R>()]
  strands({ results[0].value = work("A") }, { results[1].value = work("B") })
  return results.map { $0.value! }
}

private final class Result<Value>: @unchecked Sendable {
  // Sendable: one strand writes it, and it is read after that strand's end.
  var value: Value?
}
