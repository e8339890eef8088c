import Workbook

extension Chapter {
  /// Data races and the races that remain without one.
  public static let races = Chapter(
    4, "Races", "critical sections, lost updates, and the race that actors leave",
    demos: [
      .criticalSection, .lostUpdate, .checkThenAct, .tornInvariant, .unsynchronisedArray,
      .lazyInitialisation, .reentrancy,
    ],
    scenarios: [
      .criticalSection, .lostUpdate, .checkThenAct, .tornInvariant, .unsynchronisedArray,
      .lazyInitialisation, .awaitLostUpdate, .awaitCheckThenAct, .reentrantAccount,
      .reentrantCache,
    ])
}

extension Demo {
  static let criticalSection = Demo(
    "critical-section",
    asks: "A is stopped between the two lines of its receipt, and B prints one. Do the lines mix?",
    sides: [
      .hazard(
        .before, "no synchronisation", .criticalSection,
        .surprising("B comes in, receipts mixed", "B is in the section while A is"),
        .forbidden("B comes in, receipts whole")),
      .before(
        "serial queue", .allowed("B waits, receipts whole"),
        .forbidden("B comes in, receipts mixed")
      ) { _ in
        await receipts(from: ReceiptPrinterSerialQueue())
      },
      .before(
        "NSLock", .allowed("B waits, receipts whole"), .forbidden("B comes in, receipts mixed")
      ) { _ in
        await receipts(from: ReceiptPrinterLock())
      },
      .after("Mutex", .allowed("B waits, receipts whole"), .forbidden("B comes in, receipts mixed"))
      { _ in
        await receipts(from: ReceiptPrinterMutex())
      },
      .after("actor", .allowed("B waits, receipts whole"), .forbidden("B comes in, receipts mixed"))
      { _ in
        await receipts(from: ReceiptPrinterActor())
      },
    ])

  static let lostUpdate = Demo(
    "lost-update",
    asks: "A and B add 1 to a counter; A is stopped between its read and its write. What is lost?",
    sides: [
      .hazard(
        .before, "plain variable", .lostUpdate,
        .surprising("B comes in, 1 lost", "A overwrites what B wrote"),
        .forbidden("B comes in, 0 lost")),
      .before("serial queue", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await additions(to: CounterSerialQueue())
      },
      .before("NSLock", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await additions(to: CounterLock())
      },
      .after("Mutex", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await additions(to: CounterMutex())
      },
      .after("actor", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await additions(to: CounterActor())
      },
      .after(
        "atomic", .allowed("0 lost", "an addition is one step, with no middle to stop in"),
        .forbidden("1 lost", "or any other number")
      ) { transcript in
        let counter = CounterAtomic()
        await inTasks(2) { _, _ in
          for _ in 0..<20_000 { counter.increment {} }
        }
        transcript.say("2 threads add 1, 20,000 times each")
        return "\(40_000 - counter.value) lost"
      },
    ])

  static let checkThenAct = Demo(
    "check-then-act",
    asks: "A and B withdraw 80 from 100; A is stopped after its check. What is the balance?",
    sides: [
      .hazard(
        .before, "plain variable", .checkThenAct,
        .surprising("B comes in, 2 paid, balance -60", "both checked before either took"),
        .forbidden("B comes in, 1 paid, balance 20")),
      .before(
        "serial queue", .allowed("B waits, 1 paid, balance 20"),
        .forbidden("B comes in, 2 paid, balance -60")
      ) { _ in
        await withdrawals(from: AccountSerialQueue.self)
      },
      .before(
        "NSLock", .allowed("B waits, 1 paid, balance 20"),
        .forbidden("B comes in, 2 paid, balance -60")
      ) {
        _ in
        await withdrawals(from: AccountLock.self)
      },
      .after(
        "Mutex", .allowed("B waits, 1 paid, balance 20"),
        .forbidden("B comes in, 2 paid, balance -60")
      ) { _ in
        await withdrawals(from: AccountMutex.self)
      },
      .after(
        "actor", .allowed("B waits, 1 paid, balance 20"),
        .forbidden("B comes in, 2 paid, balance -60")
      ) { _ in
        await withdrawals(from: AccountActor.self)
      },
      .after(
        "atomic, compare and exchange",
        .allowed("B comes in, 1 paid, balance 20", "A finds its check stale, and checks again"),
        .forbidden("B comes in, 2 paid, balance -60")
      ) { _ in await withdrawals(from: AccountAtomic.self, isUnguarded: true) },
    ])

  static let tornInvariant = Demo(
    "torn-invariant",
    asks: "A moves 30 of 100 to savings and is stopped halfway. What total does B see?",
    sides: [
      .hazard(
        .before, "two plain variables", .tornInvariant,
        .surprising("B comes in, total 70", "B reads between the two halves"),
        .forbidden("B comes in, total 100")),
      .before("serial queue", .allowed("B waits, total 100"), .forbidden("B comes in, total 70")) {
        _ in
        await readings(of: LedgerSerialQueue.self)
      },
      .before("NSLock", .allowed("B waits, total 100"), .forbidden("B comes in, total 70")) { _ in
        await readings(of: LedgerLock.self)
      },
      .after("Mutex", .allowed("B waits, total 100"), .forbidden("B comes in, total 70")) { _ in
        await readings(of: LedgerMutex.self)
      },
      .after("actor", .allowed("B waits, total 100"), .forbidden("B comes in, total 70")) { _ in
        await readings(of: LedgerActor.self)
      },
      .after(
        "two atomics",
        .surprising("B comes in, total 70", "no data race, and torn all the same"),
        .forbidden("B comes in, total 100")
      ) { _ in await readings(of: LedgerTwoAtomics.self, isUnguarded: true) },
      .after(
        "one atomic of two words",
        .allowed("B comes in, total 100", "half a transfer is nowhere to be seen"),
        .forbidden("B comes in, total 70")
      ) { _ in await readings(of: LedgerAtomic.self, isUnguarded: true) },
    ])

  static let unsynchronisedArray = Demo(
    "unsynchronised-array",
    asks: "A and B append a name; A is stopped before it writes. How many names are lost?",
    sides: [
      .hazard(
        .before, "plain array", .unsynchronisedArray,
        .surprising("B comes in, 1 lost", "A writes back the array as it was before B"),
        .forbidden("B comes in, 0 lost")),
      .before("serial queue", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await appends(to: UploadLogSerialQueue())
      },
      .before("NSLock", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await appends(to: UploadLogLock())
      },
      .after("Mutex", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await appends(to: UploadLogMutex())
      },
      .after("actor", .allowed("B waits, 0 lost"), .forbidden("B comes in, 1 lost")) { _ in
        await appends(to: UploadLogActor())
      },
    ])

  static let lazyInitialisation = Demo(
    "lazy-initialisation",
    asks: "A is stopped while it opens the session that B wants, too. How many do they get?",
    sides: [
      .hazard(
        .before, "lazy var, written out", .lazyInitialisation,
        .surprising("B comes in, 2 sessions", "a lazy variable is not guarded"),
        .forbidden("B comes in, 1 session")),
      .before("serial queue", .allowed("B waits, 1 session"), .forbidden("B comes in, 2 sessions"))
      { _ in
        await sessions(of: SessionStoreSerialQueue.self)
      },
      .before("NSLock", .allowed("B waits, 1 session"), .forbidden("B comes in, 2 sessions")) { _ in
        await sessions(of: SessionStoreLock.self)
      },
      .after("Mutex", .allowed("B waits, 1 session"), .forbidden("B comes in, 2 sessions")) { _ in
        await sessions(of: SessionStoreMutex.self)
      },
      .after("actor", .allowed("B waits, 1 session"), .forbidden("B comes in, 2 sessions")) { _ in
        await sessions(of: SessionStoreActor.self)
      },
      .after(
        "AtomicLazyReference",
        .allowed("B comes in, 1 session", "both open one, and the first is kept"),
        .forbidden("B comes in, 2 sessions")
      ) { _ in await sessions(of: SessionStoreAtomic.self, isUnguarded: true) },
    ])

  static let reentrancy = Demo(
    "reentrancy",
    asks: "A and B withdraw 80 from 100; A waits for its audit. What is the balance?",
    sides: [
      .before(
        "serial queue, blocked by the audit",
        .allowed("B waits, balance 20"), .forbidden("B comes in, balance -60")
      ) { _ in await withdrawalsDuringAudit(from: AuditedAccountSerialQueue(balance: 100)) },
      .before(
        "serial queue, audit with a callback",
        .surprising("B comes in, balance -60", "the queue is free between the two blocks"),
        .forbidden("B waits, balance 20")
      ) { _ in await withdrawalsDuringAudit(from: AuditedAccountCallback(balance: 100)) },
      .after(
        "actor, await between check and act",
        .surprising("B comes in, balance -60", "the actor is free during the await"),
        .forbidden("B waits, balance 20")
      ) { _ in await withdrawalsDuringAudit(from: AuditedAccountReentrantActor(balance: 100)) },
      .after(
        "actor, check and act in one step",
        .allowed("B comes in, balance 20", "it finds 20, and is refused"),
        .forbidden("B comes in, balance -60")
      ) { _ in await withdrawalsDuringAudit(from: AuditedAccountActor(balance: 100)) },
    ])
}
