/// A moment at which something is done again.
struct Tick: Hashable, Sendable {
  /// How many intervals after the beginning it was due, from 1 on.
  let number: Int
  /// How many between the tick before and this one were skipped.
  let missed: Int
}

/// An interval in which nothing can be done again.
struct IntervalError: Error, Hashable {
  let interval: Duration
}

// region ticks
/// Calls a body after each interval, until its task is cancelled.
///
/// The check uses `Tick`, `IntervalError` and `everyInterval(_:on:_:)`.
///
/// - Parameters:
///   - interval: How long it is from each tick to the next; more than zero.
///   - clock: Whose time it is.
///   - body: Is called for one tick at a time.
/// - Throws: `IntervalError`, what the body throws, or `CancellationError`.
func everyInterval(
  _ interval: Duration, on clock: some Clock<Duration>,
  _ body: @Sendable (Tick) async throws -> Void
) async throws {
  guard interval > .zero else { throw IntervalError(interval: interval) }
  let start = clock.now
  var last = 0
  while true {
    let intervals = start.duration(to: clock.now) / interval
    let number = max(last + 1, Int(intervals.rounded(.up)))
    try await clock.sleep(until: start.advanced(by: interval * number), tolerance: nil)
    // A sleep that is over throws nothing.
    try Task.checkCancellation()
    try await body(Tick(number: number, missed: number - last - 1))
    last = number
  }
}
// endregion
