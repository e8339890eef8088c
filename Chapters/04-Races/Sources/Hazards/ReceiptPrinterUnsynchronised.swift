#if EXPLORED
  import ControlledDispatch
#else
  import Interleaving
#endif

// It is Sendable because `Shared` says so of itself, and that is false on purpose: this races. It runs in
// a child process, or under the explorer, only.
public final class ReceiptPrinterUnsynchronised: ReceiptPrinter {
  private let printed = Shared<[String]>([], "printed")

  public init() {}

  public func printReceipt(for customer: String, betweenLines pause: @Sendable () -> Void) {
    printed.update { $0.append("\(customer) begins") }
    pause()
    printed.update { $0.append("\(customer) ends") }
  }

  public var roll: [String] { printed.value }
}
