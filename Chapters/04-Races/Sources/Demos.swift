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
        .surprising("2 sessions", "a lazy variable is not guarded"), .forbidden("1 session")),
      sessions(.before, "serial queue", SessionStoreSerialQueue.self),
      sessions(.before, "NSLock", SessionStoreLock.self),
      sessions(.after, "static let", SessionStoreStaticLet.self),
      sessions(.after, "Mutex", SessionStoreMutex.self),
      sessions(.after, "AtomicLazyReference", SessionStoreAtomic.self),
      sessions(.after, "actor", SessionStoreActor.self),
    ])

  static let reentrancy = Demo(
    "reentrancy",
    asks: "A withdrawal of 80 from 100 waits for its audit; another comes. What is the balance?",
    sides: [
      .before(
        "serial queue, blocked by the audit",
        .allowed("balance 20", "the second waits for the queue"), .forbidden("balance -60"),
        run: auditBlocksQueue),
      .before(
        "serial queue, audit with a callback",
        .surprising("balance -60", "the queue is free between the two blocks"),
        .forbidden("balance 20"), run: auditCallsBack),
      .after(
        "actor, await between check and act",
        .surprising("balance -60", "the actor is free during the await"),
        .forbidden("balance 20")
      ) { await audits(of: AuditedAccountReentrantActor(balance: 100), $0) },
      .after(
        "actor, check and act in one step", .allowed("balance 20"), .forbidden("balance -60")
      ) { await audits(of: AuditedAccountActor(balance: 100), $0) },
    ])
}

// MARK: - Cures

private func receipts(
  _ era: Side.Era, _ mechanism: String, _ type: any ReceiptPrinter.Type
) -> Side {
  .cure(era, mechanism, .allowed("receipts whole"), .forbidden("receipts mixed")) { transcript in
    let printer = type.init()
    await inTasks(2) { task, _ in
      for _ in 0..<1_000 { await printer.printReceipt(for: "\(task)") }
    }
    transcript.say("2 threads print 1,000 receipts each")
    let roll = await printer.roll
    return roll.count == 4_000 && roll.areReceiptsWhole ? "receipts whole" : "receipts mixed"
  }
}

private func increments(_ era: Side.Era, _ mechanism: String, _ type: any Counter.Type) -> Side {
  .cure(era, mechanism, .allowed("0 lost"), .forbidden("1 lost", "or any other number")) {
    transcript in
    let counter = type.init()
    await inTasks(2) { _, _ in
      for _ in 0..<5_000 { await counter.increment() }
    }
    transcript.say("2 threads add 1, 5,000 times each")
    return "\(10_000 - (await counter.value)) lost"
  }
}

private func withdrawals(
  _ era: Side.Era, _ mechanism: String, _ type: any Account.Type
) -> Side {
  .cure(era, mechanism, .allowed("balance 20"), .forbidden("balance -60")) { transcript in
    let accounts = (0..<1_000).map { _ in type.init(balance: 100) }
    await inTasks(2, rounds: accounts.count) { _, round in
      _ = await accounts[round].withdraw(80)
    }
    transcript.say("2 threads each withdraw 80, from 1,000 accounts in turn")
    var balances: Set<Int> = []
    for account in accounts { balances.insert(await account.balance) }
    return "balance \(balances.listed)"
  }
}

private func transfers(_ era: Side.Era, _ mechanism: String, _ type: any Ledger.Type) -> Side {
  .cure(era, mechanism, .allowed("total 100"), .forbidden("total 70")) { transcript in
    let ledger = type.init(checking: 100, savings: 0)
    let totals = Mutex<Set<Int>>([])
    await inTasks(2) { task, _ in
      var seen: Set<Int> = []
      for _ in 0..<5_000 {
        if task == 0 { await ledger.transfer(30) } else { seen.insert(await ledger.total) }
      }
      totals.withLock { $0.formUnion(seen) }
    }
    transcript.say("1 thread moves 30, 5,000 times, while another adds up")
    return "total \(totals.withLock { $0.listed })"
  }
}

private func appends(_ era: Side.Era, _ mechanism: String, _ type: any UploadLog.Type) -> Side {
  .cure(era, mechanism, .allowed("0 lost"), .forbidden("1 lost", "or any other number")) {
    transcript in
    let log = type.init()
    await inTasks(2) { task, _ in
      for number in 0..<1_000 { await log.append("\(task)-\(number).jpg") }
    }
    transcript.say("2 threads append 1,000 names each")
    return "\(2_000 - Set(await log.names).count) lost"
  }
}

private func sessions(
  _ era: Side.Era, _ mechanism: String, _ type: any SessionStore.Type
) -> Side {
  .cure(era, mechanism, .allowed("1 session"), .forbidden("2 sessions")) { transcript in
    var counts: Set<Int> = []
    for _ in 0..<200 {
      let store = type.init()
      let given = AtomicLazyReference<Session>()
      let others = Atomic(0)
      await inTasks(2) { _, _ in
        let session = await store.session
        if given.storeIfNil(session) !== session { others.add(1, ordering: .relaxed) }
      }
      counts.insert(1 + others.load(ordering: .relaxed))
    }
    transcript.say("2 threads each ask for the session, of 200 stores in turn")
    return counts == [1] ? "1 session" : "\(counts.listed) sessions"
  }
}

extension Set<Int> {
  /// The numbers in ascending order, for a reader.
  fileprivate var listed: String { sorted().map(String.init).joined(separator: ", ") }
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

/// A reader comes between two atomics. Semaphores may order the steps here: nothing races.
@Sendable
private func tornBetweenAtomics(_ transcript: Transcript) async -> String {
  let seen = await blocking { () -> Int in
    let ledger = LedgerTwoAtomics(checking: 100, savings: 0)
    let isHalfDone = DispatchSemaphore(value: 0)
    let isRead = DispatchSemaphore(value: 0)
    let seen = Atomic(0)
    onTwoThreads {
      ledger.transfer(30) {
        isHalfDone.signal()
        isRead.wait()
      }
    } _: {
      isHalfDone.wait()
      seen.store(ledger.total, ordering: .relaxed)
      isRead.signal()
    }
    transcript.say("A is stopped between the halves of its transfer; B adds up; A goes on")
    transcript.say("the total afterwards: \(ledger.total)")
    return seen.load(ordering: .relaxed)
  }
  return "total \(seen)"
}

/// A's audit ends when B is done; B has to wait for the queue, so it ends after a while.
///
/// The while decides nothing: without the queue B would be done long before, and the balance −60.
@Sendable
private func auditBlocksQueue(_ transcript: Transcript) async -> String {
  await blocking {
    let account = AuditedAccountSerialQueue(balance: 100)
    let isAudited = DispatchSemaphore(value: 0)
    let isSecondComing = DispatchSemaphore(value: 0)
    let isSecondDone = DispatchSemaphore(value: 0)
    onTwoThreads {
      _ = account.withdraw(80) {
        isAudited.signal()
        isSecondComing.wait()
        let isIn = isSecondDone.wait(timeout: .now() + .milliseconds(50)) == .success
        transcript.say(
          "while A waits for its audit, B asks; B \(isIn ? "comes" : "does not come") in")
        return true
      }
    } _: {
      isAudited.wait()
      isSecondComing.signal()
      let isPaid = account.withdraw(80) { true }
      isSecondDone.signal()
      transcript.say("then B is paid: \(isPaid)")
    }
    return "balance \(account.balance)"
  }
}

@Sendable
private func auditCallsBack(_ transcript: Transcript) async -> String {
  await blocking {
    let account = AuditedAccountCallback(balance: 100)
    let isFirstDone = DispatchSemaphore(value: 0)
    let isSecondDone = DispatchSemaphore(value: 0)
    account.withdraw(80) { finishFirst in
      account.withdraw(80) { finishSecond in
        finishSecond(true)
      } completion: { isPaid in
        transcript.say("B is paid while A waits for its audit: \(isPaid)")
        isSecondDone.signal()
        finishFirst(true)
      }
    } completion: { isPaid in
      transcript.say("the audit of A is done, and A is paid: \(isPaid)")
      isFirstDone.signal()
    }
    isSecondDone.wait()
    isFirstDone.wait()
    return "balance \(account.balance)"
  }
}

/// The first withdrawal waits for its audit until the second is done.
private func audits(of account: some AuditedAccount, _ transcript: Transcript) async -> String {
  let isAudited = Gate()
  let isApproved = Gate()
  async let first = account.withdraw(80) {
    isAudited.open()
    await isApproved.wait()
    return true
  }
  await isAudited.wait()
  let second = await account.withdraw(80) { true }
  transcript.say("B is paid while A waits for its audit: \(second)")
  isApproved.open()
  transcript.say("the audit of A is done, and A is paid: \(await first)")
  return "balance \(await account.balance)"
}
