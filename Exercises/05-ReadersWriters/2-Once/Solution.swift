/// A value that is made when it is first asked for, once.
///
/// The check uses `init(_:)` and `value()`.
actor Once<Value: Sendable> {
  private let make: @Sendable () async throws -> Value
  // region making
  private var making: Task<Value, any Error>?
  // endregion

  /// - Parameter make: Makes the value; it takes a while, and can fail.
  init(_ make: @escaping @Sendable () async throws -> Value) {
    self.make = make
  }

  // region value
  /// The value; it is made if it is not there.
  ///
  /// - Throws: What `make` threw, which is not kept; `CancellationError` if the caller is cancelled.
  func value() async throws -> Value {
    let making = making ?? begin()
    let (untilMade, isMade) = AsyncStream.makeStream(of: Never.self)
    Task {
      _ = await making.result
      isMade.finish()
    }
    for await _ in untilMade {}  // over when it is made, or when the caller is cancelled
    try Task.checkCancellation()
    return try await making.value
  }
  // endregion

  // region begin
  private func begin() -> Task<Value, any Error> {
    let task = Task {
      do {
        return try await make()
      } catch {
        making = nil
        throw error
      }
    }
    making = task
    return task
  }
  // endregion
}
