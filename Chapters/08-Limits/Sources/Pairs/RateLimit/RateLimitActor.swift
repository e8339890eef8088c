/// Lets one caller start in each interval, first come, first served.
actor RateLimit {
  private let interval: Duration
  private let timeline: Timeline
  private let turn = AsyncSemaphore(permits: 1)
  /// When the next one may start.
  private var next = Duration.zero

  /// - Parameter interval: More than nothing.
  init(every interval: Duration, on clock: any Clock<Duration> = ContinuousClock()) {
    precondition(interval > .zero, "an interval takes time")
    self.interval = interval
    timeline = Timeline(clock)
  }

  /// Returns when the caller may start.
  ///
  /// - Throws: `CancellationError`; then the time that it waited for is the next caller's.
  func start() async throws {
    try await turn.withPermit {
      let due = max(next, timeline.elapsed())
      try await timeline.sleep(due)
      // From when it was due, and not from when this task woke up. So it does not drift.
      next = due + interval
    }
  }
}
