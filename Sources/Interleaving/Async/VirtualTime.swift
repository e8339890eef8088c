#if canImport(Glibc)
  @_spi(ExperimentalScheduling) import _Concurrency

  // Sleeping takes no real time: a sleeper is woken when the explorer says so. The clock that it sleeps
  // on still tells real time, so what is read from it is not under control; see the manual, *Limits*.

  extension ScenarioExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      let remaining = clock.now.duration(to: instant) as? Duration ?? .zero
      sleep(UnownedJob(job), for: remaining, isExact: false)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), for: delay as? Duration ?? .zero, isExact: true)
    }
  }

#endif

extension Duration {
  /// The duration in milliseconds, rounded up.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
    return overflow ? (seconds > 0 ? .max / 2 : 0) : product + Int(whole) + (rest > 0 ? 1 : 0)
  }

  /// What a task said that it would sleep, in milliseconds, given what was left of it a little later;
  /// nil if that cannot be told.
  ///
  /// People sleep for round times: the roundest that may have been said is taken.
  ///
  /// - Parameter late: How much later at most.
  func asSaid(late: Duration) -> Int? {
    guard late <= max(.microseconds(800), self / 50) else { return nil }
    let (least, most) = (milliseconds, (self + late + .milliseconds(1)).milliseconds - 1)
    for unit in [3_600_000, 60_000, 10_000, 1_000, 100, 10, 1] {
      let round = (least + unit - 1) / unit * unit
      if round <= max(least, most) { return round }
    }
    return least
  }
}
