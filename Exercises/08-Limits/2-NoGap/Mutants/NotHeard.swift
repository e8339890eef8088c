// Looks right: a task of its own sleeps, so that nothing disturbs the order. Wrong: the caller's cancellation does not
// reach it.

extension RequestRate {
  // region start
  /// Returns when the caller may start.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func start() async throws {
    try await turns.take { try await Task { try await self.sleepUntilDue() }.value }
  }

  private func sleepUntilDue() async throws {
    let due = max(next, .now)
    try await Task.sleep(until: due, clock: .continuous)
    next = due + interval
  }
  // endregion
}
