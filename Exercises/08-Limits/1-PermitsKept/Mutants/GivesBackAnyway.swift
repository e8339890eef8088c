// Looks right: the `defer` stands first, so that no path forgets it. Wrong: a wait that throws gives a permit back, too.

extension UploadGate {
  // region withPermit
  /// Runs a body with a permit, and gives it back when the body returns or throws.
  ///
  /// - Throws: What the body throws; `CancellationError` if the task is cancelled before it has a permit.
  func withPermit<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    defer { signal() }
    try await wait()
    return try await body()
  }
  // endregion
}
