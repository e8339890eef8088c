#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

/// A search index behind a semaphore: whoever waits cannot tell for whom.
public final class IndexSemaphore: BlockingIndex, @unchecked Sendable {
  // `found` is used between wait and signal only, which makes it safe to share.
  private var found: [String] = []
  private let turn = DispatchSemaphore(value: 1)

  public init() {}

  public func add(_ photo: String, inside pause: @Sendable () -> Void) {
    turn.wait()
    defer { turn.signal() }
    var photos = found
    pause()
    photos.append(photo)
    found = photos
  }

  public var photos: [String] {
    turn.wait()
    defer { turn.signal() }
    return found
  }
}
