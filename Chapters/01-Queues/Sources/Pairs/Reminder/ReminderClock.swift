extension Awaited {
  /// Reminds at a moment of a clock that goes on while the machine sleeps, and that nobody sets. The standard library has no
  /// clock on the wall: for a `Date`, sleep for what is left of the time, and look again.
  struct Reminder: Sendable {
    func remind(
      at moment: ContinuousClock.Instant, show: @Sendable () async -> Void
    ) async throws {
      try await Task.sleep(until: moment, clock: .continuous)
      await show()
    }
  }
}
