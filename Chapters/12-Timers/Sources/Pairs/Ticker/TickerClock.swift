extension Clocked {
  /// Ticks when its loop begins, and then each interval, until its task is cancelled.
  ///
  /// The ticks do not drift: each is due so many intervals after the first, however long the loop's body takes.
  struct Ticker: AsyncSequence, Sendable {
    struct Tick: Equatable, Sendable {
      /// How many intervals after the first it was due.
      let number: Int
      /// How many before it were missed.
      let missed: Int
    }

    /// What becomes of ticks for which the loop comes too late.
    enum Late: Sendable { case skipped, caughtUp }

    private let interval: Duration
    private let clock: any Clock<Duration>
    private let tolerance: Duration?
    private let late: Late

    /// - Parameter tolerance: How late a tick may be; half an interval at most, as with Dispatch. Nil for what the
    ///   clock thinks best.
    init(
      every interval: Duration, on clock: any Clock<Duration> = SuspendingClock(),
      tolerance: Duration? = nil, late: Late = .skipped
    ) throws(TimingError) {
      self.interval = try interval.checked(as: .interval)
      let tolerance = try tolerance?.checked(as: .leeway)
      self.tolerance = tolerance.map { Swift.min($0, interval / 2) }
      self.clock = clock
      self.late = late
    }

    func makeAsyncIterator() -> Iterator {
      Iterator(interval, late, Timeline(clock, tolerance: tolerance))
    }

    struct Iterator: AsyncIteratorProtocol {
      private let interval: Duration
      private let late: Late
      private let timeline: Timeline
      private var number = 0

      init(_ interval: Duration, _ late: Late, _ timeline: Timeline) {
        self.interval = interval
        self.late = late
        self.timeline = timeline
      }

      mutating func next() async -> Tick? {
        do { try await timeline.sleep(interval * number) } catch { return nil }
        // A tick that is late need not sleep, so nothing would tell of the cancellation.
        if Task.isCancelled { return nil }
        var missed = 0
        if late == .skipped {
          // Behind the sleep, which may end late. In whole numbers: as a Double, 0.3 divided by 0.1 is less than 3.
          let due = Int(timeline.elapsed().attoseconds / interval.attoseconds)
          missed = Swift.max(0, due - number)
        }
        number += missed
        defer { number += 1 }
        return Tick(number: number, missed: missed)
      }
    }
  }
}
