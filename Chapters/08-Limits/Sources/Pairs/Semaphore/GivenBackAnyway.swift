extension GivenBackAnyway {
  /// The `defer` stands first, so that it is not forgotten. So a wait that throws gives a permit back, too.
  nonisolated(nonsending) static func withPermit<Value>(
    of semaphore: AsyncSemaphore, _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    defer { semaphore.signal() }
    try await semaphore.wait()
    return try await body()
  }
}
