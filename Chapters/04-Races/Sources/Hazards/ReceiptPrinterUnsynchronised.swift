// The claim of Sendable is false on purpose: this runs in a child process only.
final class ReceiptPrinterUnsynchronised: ReceiptPrinter, @unchecked Sendable {
  private(set) var roll: [String] = []

  func printReceipt(for customer: String, betweenLines pause: @Sendable () -> Void) {
    roll.append("\(customer) begins")
    pause()
    roll.append("\(customer) ends")
  }
}
