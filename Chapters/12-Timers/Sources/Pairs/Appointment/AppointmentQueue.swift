import Dispatch
import Foundation

extension Queued {
  /// Calls a block once at a date, unless it is cancelled before.
  // Sendable because a work item guards whether it is cancelled.
  final class Appointment: @unchecked Sendable {
    private let item: DispatchWorkItem

    /// It follows the clock on the wall, however that is set. A date that is past calls the block at once.
    init(at date: Date, on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
      item = DispatchWorkItem(block: block)
      queue.asyncAfter(wallDeadline: .now() + date.timeIntervalSinceNow, execute: item)
    }

    func cancel() { item.cancel() }
  }
}
