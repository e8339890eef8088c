#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because the files are used on `disk` only, and the titles on `index` only.
public final class LibraryCrosswise: Library, @unchecked Sendable {
  private let disk = DispatchQueue(label: "disk")
  private let index = DispatchQueue(label: "index")
  private var files: Set<String>
  private var titles: Set<String>

  public init(photos: Set<String>) {
    files = photos
    titles = photos
  }

  /// From the folder watcher: it is on `disk`, and brings the index in line.
  public func rename(_ name: String, to new: String, betweenQueues pause: @Sendable () -> Void) {
    disk.sync {
      if files.remove(name) != nil { files.insert(new) }
      pause()
      index.sync {
        if titles.remove(name) != nil { titles.insert(new) }
      }
    }
  }

  /// From the search field: it is on `index`, and deletes the file too.
  public func delete(_ name: String, betweenQueues pause: @Sendable () -> Void) {
    index.sync {
      titles.remove(name)
      pause()
      disk.sync { _ = files.remove(name) }
    }
  }

  public var isConsistent: Bool { disk.sync { index.sync { files == titles } } }
}
