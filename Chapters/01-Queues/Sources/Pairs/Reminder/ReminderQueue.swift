import Dispatch
import Foundation

extension Queued {
  /// Reminds at a time of day, on the wall clock: when the clock is set, the moment moves along.
  struct Reminder: Sendable {
    let queue: DispatchQueue

    func remind(at date: Date, show: @escaping @Sendable () -> Void) {
      queue.asyncAfter(wallDeadline: .now() + date.timeIntervalSinceNow, execute: show)
    }
  }
}
