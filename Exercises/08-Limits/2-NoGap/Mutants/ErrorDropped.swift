// Looks right: one caller sleeps at a time. Wrong: `try?` ends the sleep of a cancelled caller, which then starts, and
// uses up a time.

extension RequestRate {
  // region start
  /// Returns when the caller may start.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func start() async throws {
    try await turns.take { await self.sleepUntilDue() }
    try Task.checkCancellation()
  }

  private func sleepUntilDue() async {
    let due = max(next, .now)
    try? await Task.sleep(until: due, clock: .continuous)
    next = due + interval
  }
  // endregion
}
