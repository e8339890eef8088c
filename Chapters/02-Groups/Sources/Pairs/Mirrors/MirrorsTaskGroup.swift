extension TaskGrouped {
  /// One photo, asked for at several mirrors. The first photo that comes is returned, and the other requests are
  /// cancelled; they have ended before it returns.
  struct Mirrors: Sendable {
    struct None: Error {}

    func load(_ name: String, from mirrors: [AsyncFetch]) async throws -> Photo {
      try await withThrowingTaskGroup(of: Photo.self) { group in
        for fetch in mirrors { group.addTask { try await fetch(name) } }
        defer { group.cancelAll() }
        var failure: any Error = None()
        while let answer = await group.nextResult() {
          switch answer {
          case .success(let photo): return photo
          case .failure(let error): failure = error
          }
        }
        throw failure
      }
    }
  }
}
