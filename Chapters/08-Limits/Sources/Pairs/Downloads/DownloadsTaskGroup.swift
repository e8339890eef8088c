extension TaskGrouped {
  /// Bounded by how many children it adds. The limit is this call's own.
  struct Downloads: Sendable {
    let width: Int
    let fetch: AsyncFetch

    func load(_ names: [String]) async throws -> [[UInt8]] {
      var files: [[UInt8]] = []
      try await names.forEachInOrder(width: width, fetch) { files.append($0) }
      return files
    }
  }
}
