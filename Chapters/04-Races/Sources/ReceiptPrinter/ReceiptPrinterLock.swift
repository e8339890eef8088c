#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because `printed` is read and written under `lock` only.
public final class ReceiptPrinterLock: ReceiptPrinter, @unchecked Sendable {
  private let lock = NSLock()
  private var printed: [String] = []

  public init() {}

  public func printReceipt(for customer: String, betweenLines pause: @Sendable () -> Void) {
    lock.withLock {
      printed.append("\(customer) begins")
      pause()
      printed.append("\(customer) ends")
    }
  }

  public var roll: [String] { lock.withLock { printed } }
}
