extension TaskGrouped {
  /// The second try is a line of the same child, so the group waits for it.
  struct RetryingAlbum: Sendable {
    private let fetch: AsyncFetch

    init(fetch: @escaping AsyncFetch) {
      self.fetch = fetch
    }

    func load(_ names: [String]) async -> [Answer] {
      await TaskGrouped.Album { name in
        do { return try await fetch(name) } catch { return try await fetch(name) }
      }.load(names)
    }
  }
}
