// Looks right: one stream ends for all when the value is made. Wrong: it ends for all when one of them is
// cancelled, too, and then the others wait for the task.

extension Once {
  // region making
  private var making: Task<Value, any Error>?
  private var untilMade = AsyncStream<Never> { _ in }
  // endregion

  // region value
  /// The value; it is made if it is not there.
  ///
  /// - Throws: What `make` threw, which is not kept; `CancellationError` if the caller is cancelled.
  func value() async throws -> Value {
    let making = making ?? begin()
    for await _ in untilMade {}
    try Task.checkCancellation()
    return try await making.value
  }
  // endregion

  // region begin
  private func begin() -> Task<Value, any Error> {
    let (untilMade, isMade) = AsyncStream.makeStream(of: Never.self)
    let task = Task {
      defer { isMade.finish() }
      do {
        return try await make()
      } catch {
        making = nil
        throw error
      }
    }
    self.untilMade = untilMade
    making = task
    return task
  }
  // endregion
}
