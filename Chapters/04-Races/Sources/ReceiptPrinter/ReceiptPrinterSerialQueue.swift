#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because `printed` is read and written on `queue` only.
public final class ReceiptPrinterSerialQueue: ReceiptPrinter, @unchecked Sendable {
  private let queue = DispatchQueue(label: "receipts")
  private var printed: [String] = []

  public init() {}

  public func printReceipt(for customer: String, betweenLines pause: @Sendable () -> Void) {
    queue.sync {
      printed.append("\(customer) begins")
      pause()
      printed.append("\(customer) ends")
    }
  }

  public var roll: [String] { queue.sync { printed } }
}
