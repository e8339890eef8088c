import Synchronization

extension Mutexed {
  final class ReceiptPrinter: Sendable {
    private let printed = Mutex<[String]>([])

    func printReceipt(for customer: String) {
      printed.withLock { printed in
        printed.append("\(customer) begins")
        printed.append("\(customer) ends")
      }
    }

    var roll: [String] { printed.withLock { $0 } }
  }
}
