extension RequestRate {
  // region state
  private var next = ContinuousClock.now
  // endregion

  // region start
  // TODO: Leave no gap where a caller is cancelled.
  /// Returns when the caller may start.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func start() async throws {
    let due = max(next, .now)
    next = due + interval
    try await Task.sleep(until: due, clock: .continuous)
  }
  // endregion
}
