extension TaskGrouped {
  /// Makes previews in child tasks, and enters them in the parent, in their order.
  struct Import: Sendable {
    private let width: Int

    /// - Parameter width: How many previews are under way at a time, 1 or more.
    init(width: Int) { self.width = width }

    func album(of files: [PhotoFile]) async throws -> Album {
      let light = SharedLight()
      var album = Album()
      try await files.forEachInOrder(width: width) { file in
        file.preview(counting: light.add)
      } then: { preview in
        album.enter(preview)
      }
      album.light = light.total
      return album
    }
  }
}
