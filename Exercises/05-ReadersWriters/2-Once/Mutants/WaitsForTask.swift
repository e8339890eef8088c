// Looks right: whoever is cancelled asks for it and throws. Wrong: it asks when the value is there, since
// the wait for a task does not end before.

extension Once {
  // region value
  /// The value; it is made if it is not there.
  ///
  /// - Throws: What `make` threw, which is not kept; `CancellationError` if the caller is cancelled.
  func value() async throws -> Value {
    let result = await (making ?? begin()).result
    try Task.checkCancellation()
    return try result.get()
  }
  // endregion
}
