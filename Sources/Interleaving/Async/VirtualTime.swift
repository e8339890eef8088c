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
