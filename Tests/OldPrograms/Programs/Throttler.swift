import Foundation

/// Does something at most once in an interval.
///
/// Its known bug: nothing guards the date of the last time.
extension Wrong {
  final class Throttler: @unchecked Sendable {
    // Sendable: it is not. Several threads use `last`.
    private let interval: TimeInterval
    private var last: Date?

    init(interval: TimeInterval) { self.interval = interval }

    func run(_ action: () -> Void) {
      let now = Date()
      if let last, now.timeIntervalSince(last) < interval { return }
      last = now
      action()
    }
  }
}

extension Right {
  final class Throttler: @unchecked Sendable {
    // Sendable: `last` is used under `lock` only.
    private let lock = NSLock()
    private let interval: TimeInterval
    private var last: Date?

    init(interval: TimeInterval) { self.interval = interval }

    func run(_ action: () -> Void) {
      lock.lock()
      let now = Date()
      if let last, now.timeIntervalSince(last) < interval { return lock.unlock() }
      last = now
      lock.unlock()
      action()
    }
  }
}
