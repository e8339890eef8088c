import Foundation

extension Clocked {
  /// A task that calls a block once at a date, unless it is cancelled before.
  ///
  /// No clock of Swift is the one on the wall, so it looks there again each minute. The minute goes on while the
  /// machine sleeps, as the wall's does.
  static func appointment(
    at date: Date, on clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { .now }, _ block: @escaping @Sendable () async -> Void
  ) -> Task<Void, any Error> {
    Task {
      while case let left = date.timeIntervalSince(now()), left > 0 {
        try await clock.sleep(for: .seconds(min(left, 60)))
      }
      try Task.checkCancellation()
      await block()
    }
  }
}
