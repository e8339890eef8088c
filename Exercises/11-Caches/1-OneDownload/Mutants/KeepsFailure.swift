// Looks right: each name has one task. Wrong: one that has failed stays, and fails for ever.

extension PictureStore {
  // region picture
  /// The picture of this name.
  ///
  /// - Throws: What its load throws.
  func picture(_ name: String) async throws -> String {
    if let task = tasks[name] { return try await task.value }
    let task = Task { try await load(name) }
    tasks[name] = task
    return try await task.value
  }
  // endregion
}
