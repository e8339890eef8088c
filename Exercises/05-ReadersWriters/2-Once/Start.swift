extension Once {
  // region making
  private var made: Value?
  // endregion

  // region value
  // TODO: Make the value once, after a failure again, and let a cancelled caller go at once.
  /// The value; it is made if it is not there.
  ///
  /// - Throws: What `make` threw, which is not kept; `CancellationError` if the caller is cancelled.
  func value() async throws -> Value {
    if let made { return made }
    let new = try await make()
    made = new
    return new
  }
  // endregion

  // region begin
  // endregion
}
