import Dispatch

extension Targeted {
  /// Two services that file into one cabinet, each with a queue of its own and both on one target,
  /// so that they never file at the same time.
  struct Cabinet: Sendable {
    private let cabinet = DispatchQueue(label: "cabinet")
    private let invoices: DispatchQueue
    private let letters: DispatchQueue

    init() {
      invoices = DispatchQueue(label: "invoices", target: cabinet)
      letters = DispatchQueue(label: "letters", target: cabinet)
    }

    func fileInvoice(_ file: @escaping @Sendable () -> Void) {
      invoices.sync(execute: file)
    }

    func fileLetter(_ file: @escaping @Sendable () -> Void) {
      letters.sync(execute: file)
    }
  }
}
