extension UploadGate {
  // region withPermit
  // TODO: Let a task that is cancelled leave the line, and keep as many permits as there were.
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

  // region wait
  private func wait() async throws {
    try Task.checkCancellation()
    try await withCheckedThrowingContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.lastID += 1
        state.line.append((state.lastID, continuation))
        return false
      }
      if isFree { continuation.resume() }
    }
  }
  // endregion
}
