import Foundation

extension AsksItself {
  /// Where a picture has moved, it asks itself, so that both addresses have one load.
  actor PictureCache {
    private var tasks: [URL: Task<Picture, any Error>] = [:]
    private let fetch: @concurrent @Sendable (URL) async throws -> Fetched

    init(fetch: @escaping @concurrent @Sendable (URL) async throws -> Fetched) {
      self.fetch = fetch
    }

    func picture(at url: URL) async throws -> Picture {
      if let task = tasks[url] { return try await task.value }
      let task = Task { [fetch] in
        switch try await fetch(url) {
        case .picture(let picture): picture
        case .moved(let next): try await picture(at: next)
        }
      }
      tasks[url] = task
      defer { tasks[url] = nil }
      return try await task.value
    }
  }
}
