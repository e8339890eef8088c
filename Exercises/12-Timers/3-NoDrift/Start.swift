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
  // Was: measure()
  //      queue.asyncAfter(deadline: .now() + interval) { self.tick() }
  // TODO: Keep ticks to their times, skip those that are late, and refuse an interval that is no interval.
  var number = 0
  while !Task.isCancelled {
    try await clock.sleep(for: interval)
    number += 1
    try await body(Tick(number: number, missed: 0))
  }
}
// endregion
