public actor ReceiptPrinterActor: ReceiptPrinter {
  public private(set) var roll: [String] = []

  public init() {}

  public func printReceipt(for customer: String, betweenLines pause: @Sendable () -> Void) {
    roll.append("\(customer) begins")
    pause()
    roll.append("\(customer) ends")
  }
}
