import Dispatch

extension Queued {
  /// Calls a block once, unless it is cancelled before. Nobody has to keep it.
  // Sendable because a work item guards whether it is cancelled.
  final class Reminder: @unchecked Sendable {
    private let item: DispatchWorkItem

    init(
      after delay: Duration, on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
    ) throws(TimingError) {
      item = DispatchWorkItem(block: block)
      let delay = try delay.checked(as: .delay)
      queue.asyncAfter(deadline: .now() + delay.interval, execute: item)
    }

    /// A block that has begun goes on.
    func cancel() { item.cancel() }
  }
}
