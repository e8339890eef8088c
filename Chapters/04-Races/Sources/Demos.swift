import Dispatch
import Foundation
import Synchronization
import Workbook

extension Chapter {
  /// Data races and the races that remain without one.
  public static let races = Chapter(
    4, "Races", "critical sections, lost updates, and the race that actors leave",
    demos: [
      .criticalSection, .lostUpdate, .checkThenAct, .tornInvariant, .unsynchronisedArray,
      .lazyInitialisation, .reentrancy,
    ])
}

extension Demo {
  static let criticalSection = Demo(
    "critical-section",
    asks: "Two threads print a receipt of two lines each. Do the lines of one stay together?",
    sides: [
      .hazard(
        .before, "no synchronisation", .criticalSection,
        .surprising("receipts mixed", "B enters while A is inside"),
        .forbidden("receipts whole")),
      receipts(.before, "serial queue", ReceiptPrinterSerialQueue.self),
      receipts(.before, "NSLock", ReceiptPrinterLock.self),
      receipts(.after, "Mutex", ReceiptPrinterMutex.self),
      receipts(.after, "actor", ReceiptPrinterActor.self),
    ])

  static let lostUpdate = Demo(
    "lost-update",
    asks: "Every thread adds 1 to one counter. How many additions are lost?",
    sides: [
      .hazard(
        .before, "plain variable", .lostUpdate,
        .surprising("1 lost", "A overwrites what B wrote"), .forbidden("0 lost")),
      increments(.before, "serial queue", CounterSerialQueue.self),
      increments(.before, "NSLock", CounterLock.self),
      increments(.after, "Mutex", CounterMutex.self),
      increments(.after, "atomic", CounterAtomic.self),
      increments(.after, "actor", CounterActor.self),
    ])

  static let checkThenAct = Demo(
    "check-then-act",
    asks: "Two threads each withdraw 80 from an account of 100. What is the balance?",
    sides: [
      .hazard(
        .before, "plain variable", .checkThenAct,
        .surprising("balance -60", "both checked before either took"),
        .forbidden("balance 20")),
      withdrawals(.before, "serial queue", AccountSerialQueue.self),
      withdrawals(.before, "NSLock", AccountLock.self),
      withdrawals(.after, "Mutex", AccountMutex.self),
      withdrawals(.after, "atomic, compare and exchange", AccountAtomic.self),
      withdrawals(.after, "actor", AccountActor.self),
    ])

  static let tornInvariant = Demo(
    "torn-invariant",
    asks: "30 move from checking, at 100, to savings, at 0. What total can a reader see?",
    sides: [
      .hazard(
        .before, "two plain variables", .tornInvariant,
        .surprising("total 70", "the reader came between the two halves"),
        .forbidden("total 100")),
      transfers(.before, "serial queue", LedgerSerialQueue.self),
      transfers(.before, "NSLock", LedgerLock.self),
      .after(
        "two atomics", .surprising("total 70", "no data race, and torn all the same"),
        .forbidden("total 100"), run: tornBetweenAtomics),
      transfers(.after, "one atomic of two words", LedgerAtomic.self),
      transfers(.after, "Mutex", LedgerMutex.self),
      transfers(.after, "actor", LedgerActor.self),
    ])

  static let unsynchronisedArray = Demo(
    "unsynchronised-array",
    asks: "Every thread appends names to one array. How many names are lost?",
    sides: [
      .hazard(
        .before, "plain array", .unsynchronisedArray,
        .surprising("1 lost", "A wrote back the array that it had read before B's append"),
        .forbidden("0 lost")),
      appends(.before, "serial queue", UploadLogSerialQueue.self),
      appends(.before, "NSLock", UploadLogLock.self),
      appends(.after, "Mutex", UploadLogMutex.self),
      appends(.after, "actor", UploadLogActor.self),
    ])

  static let lazyInitialisation = Demo(
    "lazy-initialisation",
    asks: "Two threads ask for a session that is opened on first use. How many do they get?",
    sides: [
      .hazard(
        .before, "lazy var", .lazyInitialisation,
        .surprising("2 opened", "a lazy variable is not guarded"), .forbidden("1 opened")),
      sessions(.before, "serial queue", SessionStoreSerialQueue.self),
      sessions(.before, "NSLock", SessionStoreLock.self),
      sessions(.after, "static let", SessionStoreStaticLet.self),
      sessions(.after, "Mutex", SessionStoreMutex.self),
      sessions(.after, "AtomicLazyReference", SessionStoreAtomic.self),
      sessions(.after, "actor", SessionStoreActor.self),
    ])

  static let reentrancy = Demo(
    "reentrancy",
    asks: "A withdrawal of 80 from 100 waits for its approval; another comes. What is the balance?",
    sides: [
      .before(
        "serial queue", .allowed("balance 20", "the second waits for the queue"),
        .forbidden("balance -60"), run: approvalBlocksQueue),
      .after(
        "actor, await between check and act",
        .surprising("balance -60", "the actor is free while the first waits"),
        .forbidden("balance 20")
      ) { await approvals(of: AuditedAccountReentrantActor(balance: 100), $0) },
      .after(
        "actor, check and act in one step", .allowed("balance 20"), .forbidden("balance -60")
      ) { await approvals(of: AuditedAccountActor(balance: 100), $0) },
    ])
}

// MARK: - Cures

private func receipts(
  _ era: Side.Era, _ mechanism: String, _ type: any ReceiptPrinter.Type
) -> Side {
  .cure(era, mechanism, .allowed("receipts whole"), .forbidden("receipts mixed")) { transcript in
    let printer = type.init()
    await inTasks(4) { number in
      for _ in 0..<250 { await printer.printReceipt(for: "\(number)") }
    }
    transcript.say("4 tasks print 250 receipts each")
    let roll = await printer.roll
    return roll.count == 2_000 && roll.areReceiptsWhole ? "receipts whole" : "receipts mixed"
  }
}

private func increments(_ era: Side.Era, _ mechanism: String, _ type: any Counter.Type) -> Side {
  .cure(era, mechanism, .allowed("0 lost"), .forbidden("1 lost", "or any other number")) {
    transcript in
    let counter = type.init()
    await inTasks(4) { _ in
      for _ in 0..<1_000 { await counter.increment() }
    }
    transcript.say("4 tasks add 1 a thousand times each")
    return "\(4_000 - (await counter.value)) lost"
  }
}

private func withdrawals(
  _ era: Side.Era, _ mechanism: String, _ type: any Account.Type
) -> Side {
  .cure(era, mechanism, .allowed("balance 20"), .forbidden("balance -60")) { transcript in
    let balances = await distinct {
      let account = type.init(balance: 100)
      await inTasks(2) { _ in _ = await account.withdraw(80) }
      return await account.balance
    }
    transcript.say("2 tasks withdraw 80 each, from 200 accounts in turn")
    return "balance \(balances)"
  }
}

private func transfers(_ era: Side.Era, _ mechanism: String, _ type: any Ledger.Type) -> Side {
  .cure(era, mechanism, .allowed("total 100"), .forbidden("total 70")) { transcript in
    let ledger = type.init(checking: 100, savings: 0)
    async let moves: Void = repeatTransfer(of: 30, in: ledger)
    let totals = await distinct(of: 1_000) { await ledger.total }
    await moves
    transcript.say("1 task moves 30 a thousand times, another adds up")
    return "total \(totals)"
  }
}

private func repeatTransfer(of amount: Int, in ledger: some Ledger) async {
  for _ in 0..<1_000 { await ledger.transfer(amount) }
}

private func appends(_ era: Side.Era, _ mechanism: String, _ type: any UploadLog.Type) -> Side {
  .cure(era, mechanism, .allowed("0 lost"), .forbidden("1 lost", "or any other number")) {
    transcript in
    let log = type.init()
    await inTasks(4) { task in
      for number in 0..<250 { await log.append("\(task)-\(number).jpg") }
    }
    transcript.say("4 tasks append 250 names each")
    return "\(1_000 - Set(await log.names).count) lost"
  }
}

private func sessions(
  _ era: Side.Era, _ mechanism: String, _ type: any SessionStore.Type
) -> Side {
  .cure(era, mechanism, .allowed("1 kept"), .forbidden("2 kept")) { transcript in
    let kept = await distinct {
      let store = type.init()
      return await withTaskGroup(of: Session.self) { group in
        for _ in 0..<2 { group.addTask { await store.session } }
        return Set(await group.reduce(into: []) { $0.append($1) }.map(ObjectIdentifier.init)).count
      }
    }
    transcript.say("2 tasks ask for the session, of 200 stores in turn")
    return "\(kept) kept"
  }
}

/// The distinct results of some runs, in ascending order.
private func distinct(of runs: Int = 200, _ run: () async -> Int) async -> String {
  var results: Set<Int> = []
  for _ in 0..<runs { results.insert(await run()) }
  return results.sorted().map(String.init).joined(separator: ", ")
}

extension Side {
  fileprivate static func cure(
    _ era: Era, _ mechanism: String, _ allowed: Outcome, _ forbidden: Outcome,
    run: @escaping @Sendable (Transcript) async -> String
  ) -> Side {
    switch era {
    case .before: .before(mechanism, allowed, forbidden, run: run)
    case .after: .after(mechanism, allowed, forbidden, run: run)
    }
  }
}

// MARK: - Schedules without a data race

/// A reader comes between two atomics; semaphores may order the steps, since nothing races.
@Sendable
private func tornBetweenAtomics(_ transcript: Transcript) -> String {
  let ledger = LedgerTwoAtomics(checking: 100, savings: 0)
  var seen = 0
  transcript.say("A has taken 30 from checking and not yet put it into savings")
  ledger.transfer(30) { seen = ledger.total }
  transcript.say("B adds up the two; afterwards they add up to \(ledger.total)")
  return "total \(seen)"
}

/// The approval of A comes when B is done, or after a while where B has to wait for the queue.
@Sendable
private func approvalBlocksQueue(_ transcript: Transcript) async -> String {
  let account = AuditedAccountSerialQueue(balance: 100)
  let isAsked = DispatchSemaphore(value: 0)
  let isSecondDone = DispatchSemaphore(value: 0)
  return await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      onTwoThreads {
        _ = account.withdraw(80) {
          isAsked.signal()
          if isSecondDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            transcript.say("B is not let in while A waits for its approval")
          }
        }
      } _: {
        isAsked.wait()
        let isPaid = account.withdraw(80) {}
        isSecondDone.signal()
        transcript.say("B withdraws: \(isPaid)")
      }
      continuation.resume(returning: "balance \(account.balance)")
    }
  }
}

/// The first withdrawal is asked for approval and gets it only after the second is done.
private func approvals(of account: some AuditedAccount, _ transcript: Transcript) async -> String {
  let isAsked = Gate()
  let isApproved = Gate()
  async let first = account.withdraw(80) {
    isAsked.open()
    await isApproved.wait()
  }
  await isAsked.wait()
  let second = await account.withdraw(80) {}
  transcript.say("B withdraws while A waits for its approval: \(second)")
  isApproved.open()
  transcript.say("A has its approval and withdraws: \(await first)")
  return "balance \(await account.balance)"
}
