import Foundation

extension Reentrant {
  /// While it awaits, the actor is free, and the next caller finds nothing either.
  actor PictureCache {
    private var pictures: [URL: Picture] = [:]
    private let load: AsyncLoad

    init(load: @escaping AsyncLoad) { self.load = load }

    func picture(at url: URL) async throws -> Picture {
      if let picture = pictures[url] { return picture }
      let picture = try await load(url)
      pictures[url] = picture
      return picture
    }
  }
}
