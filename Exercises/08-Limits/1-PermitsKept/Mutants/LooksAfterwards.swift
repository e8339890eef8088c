// Looks right: a task that was cancelled throws. Wrong: by then it has its permit, and nobody gives that back.

extension UploadGate {
  // region withPermit
  /// Runs a body with a permit, and gives it back when the body returns or throws.
  ///
  /// - Throws: What the body throws; `CancellationError` if the task is cancelled before it has a permit.
  func withPermit<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await wait()
    try Task.checkCancellation()
    defer { signal() }
    return try await body()
  }
  // endregion
}
