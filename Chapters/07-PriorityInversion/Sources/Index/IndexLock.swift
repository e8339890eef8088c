#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

/// A search index behind an `NSLock`, which has an owner and does not raise it.
public final class IndexLock: BlockingIndex, @unchecked Sendable {
  // `found` is used under the lock only, which makes it safe to share.
  private var found: [String] = []
  private let lock = NSLock()

  public init() {}

  public func add(_ photo: String, inside pause: @Sendable () -> Void) {
    lock.withLock {
      var photos = found
      pause()
      photos.append(photo)
      found = photos
    }
  }

  public var photos: [String] { lock.withLock { found } }
}
