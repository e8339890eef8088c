// Looks right: the next tick is the one behind the intervals that have gone by. Wrong: one that is due when the
// body returns is on time, and it is skipped.

// region ticks
/// Calls a body after each interval, until its task is cancelled.
func everyInterval(
  _ interval: Duration, on clock: some Clock<Duration>,
  _ body: @Sendable (Tick) async throws -> Void
) async throws {
  guard interval > .zero else { throw IntervalError(interval: interval) }
  let start = clock.now
  var last = 0
  while true {
    let number = Int(start.duration(to: clock.now) / interval) + 1
    try await clock.sleep(until: start.advanced(by: interval * number), tolerance: nil)
    try Task.checkCancellation()
    try await body(Tick(number: number, missed: number - last - 1))
    last = number
  }
}
// endregion
