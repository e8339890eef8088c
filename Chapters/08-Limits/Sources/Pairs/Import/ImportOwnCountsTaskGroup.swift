extension OwnCounts {
  /// Each child has a copy of its own to count in, and the parent adds them.
  struct Import: Sendable {
    private let width: Int

    /// - Parameter width: How many previews are under way at a time, 1 or more.
    init(width: Int) { self.width = width }

    func album(of files: [PhotoFile]) async throws -> Album {
      var album = Album()
      try await files.forEachInOrder(width: width) { file in
        var light = Light()
        return (file.preview { light.add($0) }, light)
      } then: { preview, light in
        album.enter(preview)
        album.light.add(light)
      }
      return album
    }
  }
}
