import Dispatch

extension Queued {
  /// Hands over a value at once, then at most one each interval: the newest.
  // Sendable because what changes is used on `queue` only.
  final class Throttle<Value: Sendable>: @unchecked Sendable {
    private let interval: Duration
    private let queue: DispatchQueue
    private let give: @Sendable (Value) -> Void
    private var isWaiting = false
    private var newest: Value?

    /// - Parameter queue: A serial one, on which all is given.
    init(
      every interval: Duration, on queue: DispatchQueue, give: @escaping @Sendable (Value) -> Void
    ) throws(TimingError) {
      self.interval = try interval.checked(as: .interval)
      self.queue = queue
      self.give = give
    }

    func send(_ value: Value) {
      queue.async {
        self.newest = value
        if !self.isWaiting { self.giveAndWait() }
      }
    }

    /// Hands over at once what waits.
    func finish() { queue.async { if let value = self.newest.take() { self.give(value) } } }

    private func giveAndWait() {
      isWaiting = false
      guard let value = newest.take() else { return }
      isWaiting = true
      give(value)
      queue.asyncAfter(deadline: .now() + interval.interval) { self.giveAndWait() }
    }
  }
}
