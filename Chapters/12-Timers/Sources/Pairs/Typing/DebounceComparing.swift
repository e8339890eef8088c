import Dispatch

extension Comparing {
  /// Hands over a value if it is still the newest one when its delay is over.
  // Sendable because `newest` is used on `queue` only.
  final class Debounce<Value: Sendable & Equatable>: @unchecked Sendable {
    private let delay: Duration
    private let queue: DispatchQueue
    private let give: @Sendable (Value) -> Void
    private var newest: Value?

    init(for delay: Duration, on queue: DispatchQueue, give: @escaping @Sendable (Value) -> Void) {
      self.delay = delay
      self.queue = queue
      self.give = give
    }

    func send(_ value: Value) {
      let deadline = DispatchTime.now() + delay.interval
      queue.async {
        self.newest = value
        self.queue.asyncAfter(deadline: deadline) {
          if self.newest == value { self.give(value) }
        }
      }
    }
  }
}
