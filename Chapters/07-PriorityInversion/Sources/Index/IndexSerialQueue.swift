#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

/// A search index on a serial queue; who calls `sync` runs on its own thread while it is its turn.
public final class IndexSerialQueue: BlockingIndex, @unchecked Sendable {
  // `found` is used on the queue only, which makes it safe to share.
  private var found: [String] = []
  private let queue = DispatchQueue(label: "index")

  public init() {}

  public func add(_ photo: String, inside pause: @Sendable () -> Void) {
    queue.sync {
      var photos = found
      pause()
      photos.append(photo)
      found = photos
    }
  }

  public var photos: [String] { queue.sync { found } }
}
