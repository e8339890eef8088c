import Testing
import Workbook

@testable import Races

/// One suite for all cures: what the text calls equal is tested once and run on each.
@Suite struct CureTests {
  @Test(
    arguments: [
      CounterSerialQueue.self, CounterLock.self, CounterMutex.self, CounterAtomic.self,
      CounterActor.self,
    ] as [any Counter.Type])
  func `no increment is lost`(_ type: any Counter.Type) async {
    let counter = type.init()
    await inTasks(4) { _ in
      for _ in 0..<20_000 { await counter.increment() }
    }
    #expect(await counter.value == 80_000)
  }

  @Test(arguments: accounts)
  func `two withdrawals of 80 from 100 are never both paid`(_ type: any Account.Type) async {
    for _ in 0..<500 {
      let account = type.init(balance: 100)
      let paid = CounterActor()
      await inTasks(2) { _ in
        if await account.withdraw(80) { await paid.increment() }
      }
      #expect(await paid.value == 1)
      #expect(await account.balance == 20)
    }
  }

  @Test(arguments: accounts)
  func `all that is paid was there`(_ type: any Account.Type) async {
    let account = type.init(balance: 1_000)
    let paid = CounterActor()
    await inTasks(4) { _ in
      for _ in 0..<500 where await account.withdraw(1) { await paid.increment() }
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
    let log = type.init()
    await inTasks(4) { task in
      for number in 0..<2_000 { await log.append("\(task)-\(number)") }
    }
    let names = await log.names
    #expect(names.count == 8_000)
    #expect(Set(names).count == 8_000)
  }

  @Test(
    arguments: [
      LedgerSerialQueue.self, LedgerLock.self, LedgerMutex.self, LedgerAtomic.self,
      LedgerActor.self,
    ] as [any Ledger.Type])
  func `a reader never sees half a transfer`(_ type: any Ledger.Type) async {
    let ledger = type.init(checking: 100, savings: 0)
    await inTasks(4) { task in
      for _ in 0..<10_000 {
        if task.isMultiple(of: 2) {
          await ledger.transfer(1)
        } else {
          #expect(await ledger.total == 100)
        }
      }
    }
  }

  @Test(
    arguments: [
      SessionStoreSerialQueue.self, SessionStoreLock.self, SessionStoreStaticLet.self,
      SessionStoreMutex.self, SessionStoreAtomic.self, SessionStoreActor.self,
    ] as [any SessionStore.Type])
  func `everyone gets the same session`(_ type: any SessionStore.Type) async {
    for _ in 0..<500 {
      let store = type.init()
      async let first = store.session
      async let second = store.session
      #expect(await first === second)
    }
  }

  @Test(
    arguments: [
      ReceiptPrinterSerialQueue.self, ReceiptPrinterLock.self, ReceiptPrinterMutex.self,
      ReceiptPrinterActor.self,
    ] as [any ReceiptPrinter.Type])
  func `the lines of a receipt stay together`(_ type: any ReceiptPrinter.Type) async {
    let printer = type.init()
    await inTasks(4) { task in
      for number in 0..<250 { await printer.printReceipt(for: "\(task)-\(number)") }
    }
    let roll = await printer.roll
    #expect(roll.count == 2_000)
    #expect(roll.areReceiptsWhole)
  }

  @Test func `a roll with mixed receipts is told from a whole one`() {
    #expect(["A begins", "A ends", "B begins", "B ends"].areReceiptsWhole)
    #expect(!["A begins", "B begins", "B ends", "A ends"].areReceiptsWhole)
    #expect(!["A begins", "A ends", "B begins"].areReceiptsWhole)
  }
}
