// Looks right: a caller that is cancelled needs no picture. Wrong: others wait for the same task.

extension PictureStore {
  // region picture
  /// The picture of this name.
  ///
  /// - Throws: What its load throws.
  func picture(_ name: String) async throws -> String {
    let task =
      tasks[name]
      ?? Task {
        do { return try await load(name) } catch {
          tasks[name] = nil
          throw error
        }
      }
    tasks[name] = task
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
  // endregion
}
