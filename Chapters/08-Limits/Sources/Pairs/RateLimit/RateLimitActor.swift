/// Lets one caller start in each interval, in the order in which they reach the actor.
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
      try await timeline.sleep(max(next, timeline.elapsed()))
      // From when this one starts, and not from when it was due. If it wakes late, the next one is not too early.
      next = timeline.elapsed() + interval
    }
  }
}
