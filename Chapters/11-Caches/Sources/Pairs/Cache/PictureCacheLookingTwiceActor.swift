import Foundation

extension SecondLook {
  /// May load a picture twice, and gives all callers the one that was there first.
  actor PictureCache {
    private var pictures: [URL: Picture] = [:]
    private let load: AsyncLoad

    init(load: @escaping AsyncLoad) { self.load = load }

    func picture(at url: URL) async throws -> Picture {
      if let picture = pictures[url] { return picture }
      let picture = try await load(url)
      if let earlier = pictures[url] { return earlier }
      pictures[url] = picture
      return picture
    }
  }
}
