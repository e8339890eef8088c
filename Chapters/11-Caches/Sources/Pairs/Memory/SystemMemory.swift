import Foundation

/// Keeps pictures in an `NSCache`, up to so many bytes.
// Sendable because an `NSCache` is thread-safe, though it does not say so.
final class SystemMemory: PictureMemory, @unchecked Sendable {
  private final class Entry {
    let picture: Picture

    init(_ picture: Picture) { self.picture = picture }
  }

  // The key is an `NSString`: on Linux, a key that is no `NSObject` is never found again.
  private let cache = NSCache<NSString, Entry>()

  init(limit: Int) { cache.totalCostLimit = limit }

  // On Linux, a cache that goes leaves its entries behind.
  deinit { cache.removeAllObjects() }

  func picture(for url: URL) -> Picture? {
    cache.object(forKey: url.absoluteString as NSString)?.picture
  }

  func keep(_ picture: Picture, for url: URL) {
    cache.setObject(Entry(picture), forKey: url.absoluteString as NSString, cost: picture.cost)
  }
}
