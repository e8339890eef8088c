extension Clocked {
  /// Does work within a time. When it returns or throws, the work has ended, however long that takes.
  ///
  /// What comes first counts. A value that the work has behind the limit is dropped, as ``Queued/TimeLimit`` does it.
  ///
  /// - Parameter work: It ends soon after its task is cancelled.
  /// - Throws: What the work throws; ``TimedOut`` if it takes longer; `CancellationError` if the caller is cancelled.
  static func withTimeLimit<Value: Sendable>(
    _ limit: Duration, on clock: any Clock<Duration> = SuspendingClock(),
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let limit = try limit.checked(as: .delay)
    return try await withThrowingTaskGroup(of: Value.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await work() }
      group.addTask {
        try await clock.sleep(for: limit)
        throw TimedOut(limit: limit)
      }
      // Two were added, so there is a next one.
      return try await group.next()!
    }
  }
}
