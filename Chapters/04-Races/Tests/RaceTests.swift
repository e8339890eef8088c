import Testing
import Workbook

@testable import Races

@Suite struct RaceTests {
  @Test(arguments: Chapter.races.demos.map(\.name))
  func `what the demo claims holds`(_ name: String) async throws {
    let demo = try #require(Chapter.races.demo(name))
    for side in await demo.run().sides {
      #expect(side.holds, "\(side.side.mechanism): \(side.outcome) \(side.steps)")
    }
  }

  @Test(arguments: Chapter.races.hazards.map(\.id))
  func `a hazard shows its race in every run, to the sanitizer too`(_ id: String) async throws {
    let hazard = try #require(Chapter.races.hazards.first { $0.id == id })
    let reports = try await withThrowingTaskGroup(of: HazardReport.self) { group in
      for _ in 0..<6 { group.addTask { try await hazard.run() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(reports.map(\.outcome)).count == 1)
    for report in reports {
      #expect(report.races.isEmpty == !ThreadSanitizer.isActive)
    }
  }

  @Test func `the racy classes are right when nobody interferes`() async {
    let counter = CounterUnsynchronised()
    for _ in 0..<10 { await counter.increment() }
    #expect(counter.value == 10)

    let account = AccountUnsynchronised(balance: 100)
    #expect(await account.withdraw(80))
    #expect(!(await account.withdraw(80)))
    #expect(account.balance == 20)

    let log = UploadLogUnsynchronised()
    await log.append("a")
    await log.append("b")
    #expect(log.names == ["a", "b"])

    let ledger = LedgerUnsynchronised(checking: 100, savings: 0)
    await ledger.transfer(30)
    #expect(ledger.total == 100)

    let store = SessionStoreUnsynchronised { Session() }
    #expect(store.session === store.session)

    let printer = ReceiptPrinterUnsynchronised()
    await printer.printReceipt(for: "A")
    await printer.printReceipt(for: "B")
    #expect(printer.roll.areReceiptsWhole)
  }

  @Test func `a reader between two atomics sees half a transfer`() async {
    #expect(await readings(of: LedgerTwoAtomics.self, isUnguarded: true) == "B comes in, total 70")
  }
}
