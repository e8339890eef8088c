extension PictureStore {
  // region state
  private var pictures: [String: String] = [:]
  // endregion

  // region picture
  // TODO: Load each picture once, however many ask for it at once.
  /// The picture of this name.
  ///
  /// - Throws: What its load throws.
  func picture(_ name: String) async throws -> String {
    if let picture = pictures[name] { return picture }
    let picture = try await load(name)
    pictures[name] = picture
    return picture
  }
  // endregion
}
