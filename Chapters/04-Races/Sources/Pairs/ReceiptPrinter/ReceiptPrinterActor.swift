extension Isolated {
  actor ReceiptPrinter {
    private(set) var roll: [String] = []

    func printReceipt(for customer: String) {
      roll.append("\(customer) begins")
      roll.append("\(customer) ends")
    }
  }
}
