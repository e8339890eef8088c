// Looks right: it sleeps for what the body has left of the interval. Wrong: a body that takes longer moves all
// ticks behind it, and none is missed.

// region ticks
/// Calls a body after each interval, until its task is cancelled.
func everyInterval(
  _ interval: Duration, on clock: some Clock<Duration>,
  _ body: @Sendable (Tick) async throws -> Void
) async throws {
  guard interval > .zero else { throw IntervalError(interval: interval) }
  var number = 0
  var began = clock.now
  try await clock.sleep(for: interval)
  while true {
    try Task.checkCancellation()
    began = clock.now
    number += 1
    try await body(Tick(number: number, missed: 0))
    try await clock.sleep(until: began.advanced(by: interval), tolerance: nil)
  }
}
// endregion
