// Looks right: what was missed is the number of ticks that were due, less the number of those that came. Wrong:
// each tick tells of those again that an earlier one has told of.

// region ticks
/// Calls a body after each interval, until its task is cancelled.
func everyInterval(
  _ interval: Duration, on clock: some Clock<Duration>,
  _ body: @Sendable (Tick) async throws -> Void
) async throws {
  guard interval > .zero else { throw IntervalError(interval: interval) }
  let start = clock.now
  var (last, count) = (0, 0)
  while true {
    let intervals = start.duration(to: clock.now) / interval
    let number = max(last + 1, Int(intervals.rounded(.up)))
    try await clock.sleep(until: start.advanced(by: interval * number), tolerance: nil)
    try Task.checkCancellation()
    count += 1
    try await body(Tick(number: number, missed: number - count))
    last = number
  }
}
// endregion
