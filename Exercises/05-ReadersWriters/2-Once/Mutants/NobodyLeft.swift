// Looks right: the last one to leave calls the making off. Wrong: a caller that comes at that moment waits for
// what was called off, and the next one has it made again.

extension Once {
  // region making
  private var making: Task<Value, any Error>?
  private var waiters = 0
  // endregion

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
    waiters += 1
    for await _ in untilMade {}
    waiters -= 1
    if Task.isCancelled && waiters == 0 { making.cancel() }
    try Task.checkCancellation()
    return try await making.value
  }
  // endregion
}
