#if canImport(Glibc)
  @_spi(ExperimentalScheduling) import _Concurrency

  // Sleeping takes no real time: a sleeper is woken when the explorer says so. The clocks of the system tell the same time
  // to the scenario's code.

  extension ScenarioExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), for: clock.now.duration(to: instant) as? Duration ?? .zero)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), for: delay as? Duration ?? .zero)
    }
  }

#endif
