#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class ReceiptPrinterMutex: ReceiptPrinter {
  private let printed = Mutex<[String]>([])

  public init() {}

  public func printReceipt(for customer: String, betweenLines pause: @Sendable () -> Void) {
    printed.withLock { printed in
      printed.append("\(customer) begins")
      pause()
      printed.append("\(customer) ends")
    }
  }

  public var roll: [String] { printed.withLock { $0 } }
}
