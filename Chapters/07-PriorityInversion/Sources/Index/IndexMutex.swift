#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

/// A search index behind a `Mutex`: on Linux a lock of the kernel, which raises its owner.
public final class IndexMutex: BlockingIndex {
  private let found = Mutex<[String]>([])

  public init() {}

  public func add(_ photo: String, inside pause: @Sendable () -> Void) {
    found.withLock { found in
      var photos = found
      pause()
      photos.append(photo)
      found = photos
    }
  }

  public var photos: [String] { found.withLock(\.self) }
}
