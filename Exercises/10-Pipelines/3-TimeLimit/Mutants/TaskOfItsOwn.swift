// Looks right: the work is a task, and the limit cancels it. Wrong: nobody cancels it when the caller is cancelled.

// region limit
/// Does work within a time.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let working = Task { try await work() }
  let alarm = Task {
    try await Task.sleep(for: limit)
    working.cancel()
  }
  defer { alarm.cancel() }
  do {
    return try await working.value
  } catch {
    throw working.isCancelled ? TimedOut() : error
  }
}
// endregion
