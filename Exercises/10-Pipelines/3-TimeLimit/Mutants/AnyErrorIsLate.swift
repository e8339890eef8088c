// Looks right: the work ends with an error when it is cancelled, and that means TimedOut. Wrong: so do its own errors,
// and the cancellation of the caller.

// region limit
/// Does work within a time.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let value = try await withThrowingTaskGroup(of: Value?.self) { group in
    defer { group.cancelAll() }
    group.addTask { try? await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      return nil
    }
    return try await group.next()!
  }
  guard let value else { throw TimedOut() }
  return value
}
// endregion
