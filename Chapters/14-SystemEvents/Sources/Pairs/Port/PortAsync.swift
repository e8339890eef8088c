import Dispatch

extension Async {
  /// A port that wakes a task. Messages that come before the task asks are one sum.
  final class Port: AsyncSequence, Sendable {
    private let counter: EventCounter
    private let readiness: Readiness<UInt64>

    /// - Parameter whenClosed: Called once, after the descriptor is closed.
    /// - Throws: ``DescriptorError`` if the process has no descriptor left.
    init(whenClosed: @escaping @Sendable () -> Void = {}) throws(DescriptorError) {
      let counter = try EventCounter()
      self.counter = counter
      readiness = Readiness(of: counter.makeSource(queue: readinessQueue)) {
        counter.close()
        whenClosed()
      }
    }

    /// Sends messages, from any thread.
    ///
    /// - Throws: ``DescriptorError`` if the port is closed, or if so many wait that they cannot be counted.
    func send(_ count: UInt64 = 1) throws(DescriptorError) {
      // The descriptor is closed a little later, when nobody uses it any more.
      guard !readiness.isOver else { throw counter.closedError }
      try counter.add(count)
    }

    /// Closes the port and ends the sequence. What waits is lost.
    func close() { readiness.end() }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let port: Port

      func next(isolation: isolated (any Actor)?) async -> UInt64? {
        let count = try? await port.readiness.perform { [counter = port.counter] in counter.take() }
        if count == nil { port.close() }
        return count
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(port: self) }
  }
}
