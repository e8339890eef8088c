import Foundation

extension Locked {
  // Sendable because `printed` is read and written under `lock` only.
  final class ReceiptPrinter: @unchecked Sendable {
    private let lock = NSLock()
    private var printed: [String] = []

    func printReceipt(for customer: String) {
      lock.withLock {
        printed.append("\(customer) begins")
        printed.append("\(customer) ends")
      }
    }

    var roll: [String] { lock.withLock { printed } }
  }
}
