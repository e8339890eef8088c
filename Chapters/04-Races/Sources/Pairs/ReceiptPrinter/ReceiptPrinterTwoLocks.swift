import Foundation

extension LockedByHalves {
  // Sendable because `printed` is read and written under `lock` only. That guards a line, and not a receipt.
  final class ReceiptPrinter: @unchecked Sendable {
    private let lock = NSLock()
    private var printed: [String] = []

    func printReceipt(for customer: String) {
      lock.withLock { printed.append("\(customer) begins") }
      lock.withLock { printed.append("\(customer) ends") }
    }

    var roll: [String] { lock.withLock { printed } }
  }
}
