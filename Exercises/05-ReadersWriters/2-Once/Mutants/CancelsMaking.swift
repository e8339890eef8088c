// Looks right: a cancelled caller cancels what it waits for, and so goes on. Wrong: the others wait for it, too.

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
    return try await withTaskCancellationHandler {
      for await _ in untilMade {}
      try Task.checkCancellation()
      return try await making.value
    } onCancel: {
      making.cancel()
    }
  }
  // endregion
}
