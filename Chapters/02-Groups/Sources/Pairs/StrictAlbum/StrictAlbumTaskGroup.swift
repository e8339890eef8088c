extension TaskGrouped {
  /// All or the first error. It leaves the group's body, so the other downloads are cancelled, and awaited.
  struct StrictAlbum: Sendable {
    private let fetch: AsyncFetch

    init(fetch: @escaping AsyncFetch) {
      self.fetch = fetch
    }

    func load(_ names: [String]) async throws -> [Photo] {
      try await withThrowingTaskGroup(of: (index: Int, photo: Photo).self) { group in
        for (index, name) in names.enumerated() {
          group.addTask {
            let photo = try await fetch(name)
            return (index, photo)
          }
        }
        var photos = [Photo?](repeating: nil, count: names.count)
        for try await (index, photo) in group { photos[index] = photo }
        return photos.compactMap(\.self)
      }
    }
  }
}
