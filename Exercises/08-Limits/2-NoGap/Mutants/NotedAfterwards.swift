// Looks right: a time is noted by a caller that starts, so a cancelled one leaves nothing. Wrong: several callers sleep
// until the same time.

extension RequestRate {
  // region state
  private var next = ContinuousClock.now
  // endregion

  // region start
  /// Returns when the caller may start.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func start() async throws {
    let due = max(next, .now)
    try await Task.sleep(until: due, clock: .continuous)
    next = due + interval
  }
  // endregion
}
