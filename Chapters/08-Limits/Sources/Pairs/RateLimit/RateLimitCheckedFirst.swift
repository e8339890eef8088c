extension CheckedFirst {
  /// Looks when the last one started, waits, and then notes the time. Callers that come in the meantime look, too.
  actor RateLimit {
    private let interval: Duration
    private let timeline: Timeline
    private var last: Duration?

    init(every interval: Duration, on clock: any Clock<Duration> = ContinuousClock()) {
      self.interval = interval
      timeline = Timeline(clock)
    }

    func start() async throws {
      if let last { try await timeline.sleep(last + interval) }
      last = timeline.elapsed()
    }
  }
}
