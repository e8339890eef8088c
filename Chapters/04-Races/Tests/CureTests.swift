import Testing
import Workbook

@testable import Races

/// One suite for all cures: what the text calls equal is tested once and run on each.
///
/// One schedule puts B to the test while A is stopped inside; then two threads run at once, many times.
/// One test of this suite at a time: two threads meet the more, the fewer others want the processors.
@Suite(.serialized) struct CureTests {
  @Test(
    arguments: [
      CounterSerialQueue.self, CounterLock.self, CounterMutex.self, CounterAtomic.self,
      CounterActor.self,
    ] as [any Counter.Type])
  func `no increment is lost`(_ type: any Counter.Type) async {
    if !isAtomic(type) {
      #expect(await additions(to: type.init()) == "B waits, 0 lost")
    }
    let counter = type.init()
    await inTasks(2) { _, _ in
      for _ in 0..<20_000 { await counter.increment() }
    }
    #expect(await counter.value == 40_000)
  }

  @Test(arguments: accounts)
  func `two withdrawals of 80 from 100 are never both paid`(_ type: any Account.Type) async {
    let outcome = await withdrawals(from: type, isUnguarded: isAtomic(type))
    #expect(
      outcome == (isAtomic(type) ? "B comes in, 1 paid, balance 20" : "B waits, 1 paid, balance 20")
    )
    let accounts = (0..<2_000).map { _ in type.init(balance: 100) }
    let paid = CounterActor()
    await inTasks(2, rounds: accounts.count) { _, round in
      if await accounts[round].withdraw(80) { await paid.increment() }
    }
    #expect(await paid.value == accounts.count)
    for account in accounts {
      #expect(await account.balance == 20)
    }
  }

  @Test(arguments: accounts)
  func `all that is paid was there`(_ type: any Account.Type) async {
    let account = type.init(balance: 1_000)
    let paid = CounterActor()
    await inTasks(2) { _, _ in
      for _ in 0..<1_000 where await account.withdraw(1) { await paid.increment() }
    }
    #expect(await paid.value == 1_000)
    #expect(await account.balance == 0)
  }

  static let accounts: [any Account.Type] = [
    AccountSerialQueue.self, AccountLock.self, AccountMutex.self, AccountAtomic.self,
    AccountActor.self,
  ]

  @Test(
    arguments: [
      UploadLogSerialQueue.self, UploadLogLock.self, UploadLogMutex.self, UploadLogActor.self,
    ] as [any UploadLog.Type])
  func `every name that was appended is there once`(_ type: any UploadLog.Type) async {
    let outcome = await appends(to: type.init(), isUnguarded: isAtomic(type))
    #expect(outcome == (isAtomic(type) ? "B comes in, 0 lost" : "B waits, 0 lost"))
    let log = type.init()
    await inTasks(2) { task, _ in
      for number in 0..<2_000 { await log.append("\(task)-\(number)") }
    }
    let names = await log.names
    #expect(names.count == 4_000)
    #expect(Set(names).count == 4_000)
  }

  @Test(
    arguments: [
      LedgerSerialQueue.self, LedgerLock.self, LedgerMutex.self, LedgerAtomic.self,
      LedgerActor.self,
    ] as [any Ledger.Type])
  func `a reader never sees half a transfer`(_ type: any Ledger.Type) async {
    let outcome = await readings(of: type, isUnguarded: isAtomic(type))
    #expect(outcome == (isAtomic(type) ? "B comes in, total 100" : "B waits, total 100"))
    let ledger = type.init(checking: 100, savings: 0)
    let torn = CounterActor()
    await inTasks(2) { task, _ in
      for _ in 0..<20_000 {
        if task == 0 {
          await ledger.transfer(1)
        } else if await ledger.total != 100 {
          await torn.increment()
        }
      }
    }
    #expect(await torn.value == 0)
  }

  @Test(
    arguments: [
      SessionStoreSerialQueue.self, SessionStoreLock.self, SessionStoreMutex.self,
      SessionStoreAtomic.self, SessionStoreActor.self,
    ] as [any SessionStore.Type])
  func `everyone gets the same session`(_ type: any SessionStore.Type) async {
    let outcome = await sessions(of: type, isUnguarded: isAtomic(type))
    #expect(outcome == (isAtomic(type) ? "B comes in, 1 session" : "B waits, 1 session"))
    let stores = (0..<2_000).map { _ in type.init { Session() } }
    let sessions = (0..<2).map { _ in SessionLog() }
    await inTasks(2, rounds: stores.count) { task, round in
      await sessions[task].append(stores[round].session)
    }
    let (first, second) = (await sessions[0].sessions, await sessions[1].sessions)
    #expect(first.count == stores.count)
    #expect(zip(first, second).allSatisfy { $0 === $1 })
  }

  @Test func `a static let is one session for the whole process`() async {
    let first = SessionLog()
    await inTasks(2) { _, _ in await first.append(SessionStoreStaticLet().session) }
    let sessions = await first.sessions
    #expect(sessions.count == 2)
    #expect(sessions[0] === sessions[1])
  }

  /// Every cure keeps B waiting but the atomics, which are done before there is a between.
  private func isAtomic(_ cure: Any.Type) -> Bool { "\(cure)".hasSuffix("Atomic") }

  private actor SessionLog {
    var sessions: [Session] = []

    func append(_ session: Session) {
      sessions.append(session)
    }
  }

  @Test(
    arguments: [
      ReceiptPrinterSerialQueue.self, ReceiptPrinterLock.self, ReceiptPrinterMutex.self,
      ReceiptPrinterActor.self,
    ] as [any ReceiptPrinter.Type])
  func `the lines of a receipt stay together`(_ type: any ReceiptPrinter.Type) async {
    let outcome = await receipts(from: type.init(), isUnguarded: isAtomic(type))
    #expect(outcome == (isAtomic(type) ? "B comes in, receipts whole" : "B waits, receipts whole"))
    let printer = type.init()
    await inTasks(2) { task, _ in
      for number in 0..<1_000 { await printer.printReceipt(for: "\(task)-\(number)") }
    }
    let roll = await printer.roll
    #expect(roll.count == 4_000)
    #expect(roll.areReceiptsWhole)
  }

  @Test func `a roll with mixed receipts is told from a whole one`() {
    #expect(["A begins", "A ends", "B begins", "B ends"].areReceiptsWhole)
    #expect(!["A begins", "B begins", "B ends", "A ends"].areReceiptsWhole)
    #expect(!["A begins", "A ends", "B begins"].areReceiptsWhole)
  }
}
