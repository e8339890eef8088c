// A clock that may be any cannot sleep until an instant: nobody knows which type that instant has.

func sleep(until deadline: ContinuousClock.Instant, on clock: any Clock<Duration>) async throws {
  try await clock.sleep(until: deadline, tolerance: nil)
  // expected-error@-1 {{member 'sleep' cannot be used on value of type 'any Clock<Duration>'; consider using a generic constraint instead}}
}
