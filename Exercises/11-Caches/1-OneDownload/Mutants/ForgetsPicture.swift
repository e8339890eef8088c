// Looks right: a task that is over leaves the table. Wrong: so does its picture.

extension PictureStore {
  // region picture
  /// The picture of this name.
  ///
  /// - Throws: What its load throws.
  func picture(_ name: String) async throws -> String {
    if let task = tasks[name] { return try await task.value }
    let task = Task { try await load(name) }
    tasks[name] = task
    defer { tasks[name] = nil }
    return try await task.value
  }
  // endregion
}
