// Looks right: after a failure the task is taken out. Wrong: each waiter takes out what is there, and a late
// one takes out the next caller's task.

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
      self.making = nil
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
