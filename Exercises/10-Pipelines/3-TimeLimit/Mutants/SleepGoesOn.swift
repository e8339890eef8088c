// Looks right: whichever of the two children ends first is taken. Wrong: a group waits for the other one, and the
// sleep goes on to its end.

// region limit
/// Does work within a time.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TimedOut()
    }
    return try await group.next()!
  }
}
// endregion
