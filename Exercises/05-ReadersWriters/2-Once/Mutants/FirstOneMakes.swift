// Looks right: the first caller makes the value, and the others wait until they are resumed. Wrong: when it is
// cancelled, it is not gone at once, and its value with it.

extension Once {
  // region making
  private var made: Value?
  private var isMaking = false
  private var waiting: [AsyncStream<Never>.Continuation] = []
  // endregion

  // region value
  /// The value; it is made if it is not there.
  ///
  /// - Throws: What `make` threw, which is not kept; `CancellationError` if the caller is cancelled.
  func value() async throws -> Value {
    while true {
      if let made { return made }
      if !isMaking { return try await makeIt() }
      let (untilMade, isMade) = AsyncStream.makeStream(of: Never.self)
      waiting.append(isMade)
      for await _ in untilMade {}
      try Task.checkCancellation()
    }
  }
  // endregion

  // region begin
  private func makeIt() async throws -> Value {
    isMaking = true
    defer {
      isMaking = false
      for isMade in waiting { isMade.finish() }
      waiting = []
    }
    let new = try await make()
    made = new
    return new
  }
  // endregion
}
