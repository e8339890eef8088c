#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because both sets are used on `queue` only.
public final class LibrarySerialQueue: Library, @unchecked Sendable {
  private let queue = DispatchQueue(label: "library")
  private var files: Set<String>
  private var titles: Set<String>

  public init(photos: Set<String>) {
    files = photos
    titles = photos
  }

  public func rename(_ name: String, to new: String, betweenQueues pause: @Sendable () -> Void) {
    queue.sync {
      if files.remove(name) != nil { files.insert(new) }
      pause()
      if titles.remove(name) != nil { titles.insert(new) }
    }
  }

  public func delete(_ name: String, betweenQueues pause: @Sendable () -> Void) {
    queue.sync {
      titles.remove(name)
      pause()
      files.remove(name)
    }
  }

  public var isConsistent: Bool { queue.sync { files == titles } }
}
