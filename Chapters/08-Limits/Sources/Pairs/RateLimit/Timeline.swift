/// The time since it was made, on a clock.
struct Timeline: Sendable {
  let elapsed: @Sendable () -> Duration
  /// Sleeps until so much time has elapsed; throws `CancellationError` when its task is cancelled before.
  let sleep: @Sendable (_ until: Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
