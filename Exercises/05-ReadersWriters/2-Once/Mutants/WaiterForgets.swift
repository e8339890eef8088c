// Looks right: a waiter that gets a failure takes the task out, if it is still that one. Wrong: when all
// waiters have left, nobody does.

extension Once {
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
    for await _ in untilMade {}
    try Task.checkCancellation()
    do {
      return try await making.value
    } catch {
      if self.making == making { self.making = nil }
      throw error
    }
  }
  // endregion

  // region begin
  private func begin() -> Task<Value, any Error> {
    let task = Task { try await make() }
    making = task
    return task
  }
  // endregion
}
