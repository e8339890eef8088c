import Dispatch

extension BehindWork {
  /// Ends when SIGTERM comes, if its queue has time: the handler waits behind all work that was submitted before.
  // Sendable because its parts may be used on any thread, and nothing changes.
  final class Service: @unchecked Sendable {
    private let queue = DispatchQueue(label: "service")
    private let signals: Sourced.Signals

    init(whenEnded: @escaping @Sendable () -> Void) throws(SignalError) {
      signals = try Sourced.Signals(
        of: [.terminate], queue: queue, whenSignal: { _ in whenEnded() })
    }

    func submit(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
  }
}
