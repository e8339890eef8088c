// Looks right: the sleep throws when the task is cancelled. Wrong: one that is over throws nothing, and the body is
// called in a task that is cancelled.

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
    let intervals = start.duration(to: clock.now) / interval
    let number = max(last + 1, Int(intervals.rounded(.up)))
    try await clock.sleep(until: start.advanced(by: interval * number), tolerance: nil)
    try await body(Tick(number: number, missed: number - last - 1))
    last = number
  }
}
// endregion
