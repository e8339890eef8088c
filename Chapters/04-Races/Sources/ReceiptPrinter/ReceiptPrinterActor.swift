public actor ReceiptPrinterActor: ReceiptPrinter {
  public private(set) var roll: [String] = []

  public init() {}

  public func printReceipt(for customer: String) {
    roll.append("\(customer) begins")
    roll.append("\(customer) ends")
  }
}
