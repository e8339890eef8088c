// Looks right: a caller that is cancelled puts its interval back. Wrong: those after it have their times already, and
// one that comes now gets a time that another one has.

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
    next = due + interval
    do {
      try await Task.sleep(until: due, clock: .continuous)
    } catch {
      next = next - interval
      throw error
    }
  }
  // endregion
}
