import Workbook

extension Subject {
  static let criticalSection = Subject(
    "critical-section",
    asks: "A and B each print a receipt of two lines. Do the lines mix?",
    right: .allowed("receipts whole"),
    implementations: [
      .before("no synchronisation", mixed.onlyPlayed, .race) {
        receipts(from: Plain.ReceiptPrinter())
      }
      .code("ReceiptPrinterPlain.swift", "func printReceipt"),
      .before("NSLock for each line", mixed) { receipts(from: LockedByHalves.ReceiptPrinter()) }
        .code("ReceiptPrinterTwoLocks.swift", "func printReceipt")
        .notPlayed("A holds the lock wherever it can be stopped"),
      .before("serial queue") { receipts(from: Queued.ReceiptPrinter()) }
        .code("ReceiptPrinterSerialQueue.swift", "queue.sync"),
      .before("NSLock") { receipts(from: Locked.ReceiptPrinter()) }
        .code("ReceiptPrinterLock.swift", "lock.withLock"),
      .after("Mutex") { receipts(from: Mutexed.ReceiptPrinter()) }
        .code("ReceiptPrinterMutex.swift", "printed.withLock"),
      .after("actor") { receipts(from: Isolated.ReceiptPrinter()) }
        .code("ReceiptPrinterActor.swift", "actor ReceiptPrinter"),
    ])

  private static let mixed = Outcome.surprising(
    "receipts mixed", "B is in the section while A is")
}

/// Prints receipts on one roll; the lines of a receipt stay together.
private protocol Printing: AnyObject, Sendable {
  func printReceipt(for customer: String) async
  var roll: [String] { get async }
}

extension Plain.ReceiptPrinter: Printing {}
extension LockedByHalves.ReceiptPrinter: Printing {}
extension Queued.ReceiptPrinter: Printing {}
extension Locked.ReceiptPrinter: Printing {}
extension Mutexed.ReceiptPrinter: Printing {}
extension Isolated.ReceiptPrinter: Printing {}

/// A is stopped between the two lines of its receipt.
private func receipts(from printer: some Printing) -> Encounter {
  Encounter(over: printer, stoppedAt: .change(2)) { customer in
    await printer.printReceipt(for: customer)
  } outcome: { _, _ in
    let roll = await printer.roll
    let whole = [["A begins", "A ends"], ["B begins", "B ends"]]
    return roll == whole[0] + whole[1] || roll == whole[1] + whole[0]
      ? "receipts whole" : "receipts mixed"
  }
}
