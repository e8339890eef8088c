import Dispatch

extension Sourced {
  /// A port that wakes a handler. Messages that come before it runs are told as one sum.
  // Sendable because Dispatch's sources may be used on any thread.
  final class Port: @unchecked Sendable {
    private let counter: EventCounter
    private let source: any DispatchSourceProtocol

    /// - Throws: ``DescriptorError`` if the process has no descriptor left.
    init(
      queue: DispatchQueue, whenSent handler: @escaping @Sendable (_ count: UInt64) -> Void,
      whenClosed: @escaping @Sendable () -> Void = {}
    ) throws(DescriptorError) {
      let counter = try EventCounter()
      self.counter = counter
      source = counter.makeSource(queue: queue)
      source.setEventHandler {
        if let count = counter.take() { handler(count) }
      }
      source.setCancelHandler {
        counter.close()
        whenClosed()
      }
      source.activate()
    }

    deinit { source.cancel() }

    /// Sends messages, from any thread.
    ///
    /// - Throws: ``DescriptorError`` if the port is closed, or if so many wait that they cannot be counted.
    func send(_ count: UInt64 = 1) throws(DescriptorError) {
      // The descriptor is closed a little later, when nobody uses it any more.
      guard !source.isCancelled else { throw counter.closedError }
      try counter.add(count)
    }

    /// Closes the port when the handler has returned. What waits is lost.
    func close() { source.cancel() }
  }
}
