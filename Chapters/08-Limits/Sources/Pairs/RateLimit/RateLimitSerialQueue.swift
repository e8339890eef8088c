import Dispatch

extension Queued {
  /// Lets one caller start in each interval, first come, first served. What waits cannot be taken back.
  // Sendable because `next` is used on the queue only, which is serial.
  final class RateLimit: @unchecked Sendable {
    private let queue: DispatchQueue
    private let interval: DispatchTimeInterval
    private var next = DispatchTime.now()

    /// - Parameter queue: A serial one, on which callers are called back.
    init(every interval: DispatchTimeInterval, on queue: DispatchQueue) {
      self.queue = queue
      self.interval = interval
    }

    func start(then body: @escaping @Sendable () -> Void) {
      queue.async {
        let due = max(self.next, .now())
        self.next = due + self.interval
        self.queue.asyncAfter(deadline: due, execute: body)
      }
    }
  }
}
