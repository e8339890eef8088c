extension Plain {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class ReceiptPrinter: @unchecked Sendable {
    private(set) var roll: [String] = []

    func printReceipt(for customer: String) {
      roll.append("\(customer) begins")
      roll.append("\(customer) ends")
    }
  }
}
