extension Clocked {
  /// A task that calls a block once, unless it is cancelled before. Nobody has to keep it.
  @discardableResult static func reminder(
    after delay: Duration, on clock: any Clock<Duration> = SuspendingClock(),
    _ block: @escaping @Sendable () async -> Void
  ) throws(TimingError) -> Task<Void, any Error> {
    let delay = try delay.checked(as: .delay)
    return Task {
      try await clock.sleep(for: delay)
      try Task.checkCancellation()
      await block()
    }
  }
}
