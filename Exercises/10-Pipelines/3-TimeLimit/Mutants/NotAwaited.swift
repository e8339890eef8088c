// Looks right: the work is cancelled when the time is over or the caller is cancelled. Wrong: it has not ended by then.

// region limit
/// Does work within a time.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let working = Task { try await work() }
  return try await withTaskCancellationHandler {
    try await withThrowingTaskGroup(of: Value.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        let (isOver, end) = AsyncStream.makeStream(of: Never.self)
        Task {
          _ = await working.result
          end.finish()
        }
        for await _ in isOver {}
        try Task.checkCancellation()
        return try await working.value
      }
      group.addTask {
        try await Task.sleep(for: limit)
        working.cancel()
        throw TimedOut()
      }
      return try await group.next()!
    }
  } onCancel: {
    working.cancel()
  }
}
// endregion
