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

  @Test func `the racy classes are right when nobody interferes`() {
    let counter = CounterUnsynchronised()
    for _ in 0..<10 { counter.increment() }
    #expect(counter.value == 10)

    let account = AccountUnsynchronised(balance: 100)
    #expect(account.withdraw(80))
    #expect(!account.withdraw(80))
    #expect(account.balance == 20)

    let log = UploadLogUnsynchronised()
    log.append("a")
    log.append("b")
    #expect(log.names == ["a", "b"])

    let ledger = LedgerUnsynchronised(checking: 100, savings: 0)
    ledger.transfer(30)
    #expect(ledger.total == 100)

    let store = SessionStoreUnsynchronised()
    #expect(store.session === store.session)

    let printer = ReceiptPrinterUnsynchronised()
    printer.printReceipt(for: "A")
    printer.printReceipt(for: "B")
    #expect(printer.roll.areReceiptsWhole)
  }

  @Test func `a reader between two atomics sees half a transfer`() {
    let ledger = LedgerTwoAtomics(checking: 100, savings: 0)
    var seen: Int?
    ledger.transfer(30) { seen = ledger.total }
    #expect(seen == 70)
    #expect(ledger.total == 100)
  }
}
