// Looks right: each tick has its moment, counted from the beginning. Wrong: those that are past are not skipped,
// they come one after the other.

// region ticks
/// Calls a body after each interval, until its task is cancelled.
func everyInterval(
  _ interval: Duration, on clock: some Clock<Duration>,
  _ body: @Sendable (Tick) async throws -> Void
) async throws {
  guard interval > .zero else { throw IntervalError(interval: interval) }
  let start = clock.now
  var number = 0
  while true {
    number += 1
    try await clock.sleep(until: start.advanced(by: interval * number), tolerance: nil)
    try Task.checkCancellation()
    try await body(Tick(number: number, missed: 0))
  }
}
// endregion
