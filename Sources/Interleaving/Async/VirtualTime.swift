#if canImport(Glibc)
  @_spi(ExperimentalScheduling) import _Concurrency

  // Sleeping takes no real time: a sleeper is woken when the explorer says so. The clock that it sleeps
  // on still tells real time, so what is read from it is not under control; see the manual, *Limits*.

  extension ScenarioExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      // Some microseconds have gone by since the instant was made; whole milliseconds hide them.
      let remaining = clock.now.duration(to: instant) as? Duration ?? .zero
      sleep(UnownedJob(job), for: remaining.milliseconds, isExact: false)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), for: (delay as? Duration ?? .zero).milliseconds, isExact: true)
    }
  }

  extension Duration {
    /// The duration in milliseconds, rounded up.
    fileprivate var milliseconds: Int {
      let (seconds, attoseconds) = components
      let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
      let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
      return overflow ? (seconds > 0 ? .max / 2 : 0) : product + Int(whole) + (rest > 0 ? 1 : 0)
    }
  }
#endif
