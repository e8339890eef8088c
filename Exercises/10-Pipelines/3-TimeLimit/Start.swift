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
  // TODO: End when the time is over, and not when the work is.
  let start = ContinuousClock.now
  let value = try await work()
  if ContinuousClock.now - start > limit { throw TimedOut() }
  return value
}
// endregion
