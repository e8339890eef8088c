extension Reserved {
  /// Takes its time before it waits, without an `await` between. A caller that is cancelled keeps it, and leaves a gap.
  actor RateLimit {
    private let interval: Duration
    private let timeline: Timeline
    private var next = Duration.zero

    init(every interval: Duration, on clock: any Clock<Duration> = ContinuousClock()) {
      self.interval = interval
      timeline = Timeline(clock)
    }

    nonisolated func start() async throws { try await timeline.sleep(await takeTime()) }

    private func takeTime() -> Duration {
      let due = max(next, timeline.elapsed())
      next = due + interval
      return due
    }
  }
}
