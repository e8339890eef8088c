// Looks right: after the load it looks whether somebody was faster. Wrong: the picture is the same, but it was sent
// twice.

extension PictureStore {
  // region state
  private var pictures: [String: String] = [:]
  // endregion

  // region picture
  /// The picture of this name.
  ///
  /// - Throws: What its load throws.
  func picture(_ name: String) async throws -> String {
    if let picture = pictures[name] { return picture }
    let picture = try await load(name)
    if let earlier = pictures[name] { return earlier }
    pictures[name] = picture
    return picture
  }
  // endregion
}
