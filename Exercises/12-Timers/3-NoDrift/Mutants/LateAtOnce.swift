// Looks right: of the ticks that are late one is left, as a timer source of Dispatch does it. Wrong: it comes when
// the body before it has returned, which is not its time.

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
    let number = max(last + 1, Int(intervals.rounded(.down)))
    try await clock.sleep(until: start.advanced(by: interval * number), tolerance: nil)
    try Task.checkCancellation()
    try await body(Tick(number: number, missed: number - last - 1))
    last = number
  }
}
// endregion
