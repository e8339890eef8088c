import Dispatch

/// Two services that file into one cabinet, each with a queue of its own and both on one target,
/// so that they never file at the same time.
public struct CabinetTargetQueue: Sendable {
  private let cabinet = DispatchQueue(label: "cabinet")
  private let invoices: DispatchQueue
  private let letters: DispatchQueue

  public init() {
    invoices = DispatchQueue(label: "invoices", target: cabinet)
    letters = DispatchQueue(label: "letters", target: cabinet)
  }

  public func fileInvoice(_ file: @escaping @Sendable () -> Void) {
    invoices.sync(execute: file)
  }

  public func fileLetter(_ file: @escaping @Sendable () -> Void) {
    letters.sync(execute: file)
  }
}
