import Dispatch

extension Queued {
  // Sendable because `printed` is read and written on `queue` only.
  final class ReceiptPrinter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "receipts")
    private var printed: [String] = []

    func printReceipt(for customer: String) {
      queue.sync {
        printed.append("\(customer) begins")
        printed.append("\(customer) ends")
      }
    }

    var roll: [String] { queue.sync { printed } }
  }
}
