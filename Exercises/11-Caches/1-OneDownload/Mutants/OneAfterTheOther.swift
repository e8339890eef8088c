// Looks right: a load begins when the one before has ended, so nobody loads anything twice. Wrong: so do loads of
// others.

extension PictureStore {
  // region state
  private var pictures: [String: String] = [:]
  private var last: Task<String, any Error>?
  // endregion

  // region picture
  /// The picture of this name.
  ///
  /// - Throws: What its load throws.
  func picture(_ name: String) async throws -> String {
    let before = last
    let task = Task {
      _ = await before?.result
      if let picture = pictures[name] { return picture }
      let picture = try await load(name)
      pictures[name] = picture
      return picture
    }
    last = task
    return try await task.value
  }
  // endregion
}
