/// The time is over.
struct TimedOut: Error, Hashable {}

// region limit
/// Does work within a time.
///
/// When it returns or throws, the work has ended.
///
/// - Parameters:
///   - limit: How long the work may take.
///   - work: When its task is cancelled it soon ends, and throws `CancellationError`.
/// - Returns: What the work returns.
/// - Throws: What the work throws; `TimedOut` if it takes longer; `CancellationError` if the caller is cancelled.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TimedOut()
    }
    return try await group.next()!
  }
}
// endregion
