// Looks right: the sleep cannot fail, so its error is dropped. Wrong: it ends when the caller is cancelled, and the
// caller is told that its time is over.

// region limit
/// Does work within a time.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await work() }
    group.addTask {
      try? await Task.sleep(for: limit)
      throw TimedOut()
    }
    return try await group.next()!
  }
}
// endregion
