import Dispatch

extension Queued {
  /// Hands over a value when no other has come for a while.
  // Sendable because `pending` is used on `queue` only.
  final class Debounce<Value: Sendable>: @unchecked Sendable {
    private let delay: Duration
    private let queue: DispatchQueue
    private let give: @Sendable (Value) -> Void
    private var pending: (value: Value, item: DispatchWorkItem)?

    /// - Parameter queue: A serial one, on which all is given.
    init(
      for delay: Duration, on queue: DispatchQueue, give: @escaping @Sendable (Value) -> Void
    ) throws(TimingError) {
      self.delay = try delay.checked(as: .delay)
      self.queue = queue
      self.give = give
    }

    func send(_ value: Value) {
      let deadline = DispatchTime.now() + delay.interval
      queue.async {
        self.pending?.item.cancel()
        let item = DispatchWorkItem { self.flush() }
        self.pending = (value, item)
        self.queue.asyncAfter(deadline: deadline, execute: item)
      }
    }

    /// Hands over at once what waits.
    func finish() { queue.async { self.flush() } }

    /// Drops what waits.
    func cancel() { queue.async { self.pending.take()?.item.cancel() } }

    private func flush() {
      guard let (value, item) = pending.take() else { return }
      item.cancel()
      give(value)
    }
  }
}
