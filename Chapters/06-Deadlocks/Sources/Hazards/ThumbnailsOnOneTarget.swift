#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Two classes, each with a queue of its own. Months later both queues were given one target, so that no two of
// them use the disk at once.

/// Sendable because the files are used on `queue` only.
public final class Originals: @unchecked Sendable {
  private let queue: DispatchQueue
  private let files: [String: String]

  public init(_ files: [String: String], on disk: DispatchQueue) {
    queue = DispatchQueue(label: "originals", target: disk)
    self.files = files
  }

  public func photo(_ name: String) -> String? { queue.sync { files[name] } }

  /// Begins to read a photo; who cannot go on without it waits for the item.
  func read(_ name: String, then completion: @escaping @Sendable (String?) -> Void)
    -> DispatchWorkItem
  {
    let item = DispatchWorkItem { @Sendable [self] in completion(files[name]) }
    queue.async(execute: item)
    return item
  }
}

/// Sendable because the thumbnails are used on `queue` only.
public final class ThumbnailsOnOneTarget: @unchecked Sendable {
  private let queue: DispatchQueue
  private let originals: Originals
  private var made: [String: String] = [:]

  public init(of originals: Originals, on disk: DispatchQueue) {
    queue = DispatchQueue(label: "thumbnails", target: disk)
    self.originals = originals
  }

  public func thumbnail(of name: String) -> String? {
    queue.sync {
      if let thumbnail = made[name] { return thumbnail }
      guard let photo = originals.photo(name) else { return nil }
      made[name] = "small \(photo)"
      return made[name]
    }
  }

  /// The same without a `sync` inside: it has the photo read, and waits for the item that does.
  public func thumbnailByWaiting(of name: String) -> String? {
    queue.sync {
      if let thumbnail = made[name] { return thumbnail }
      let photo = Result()
      let reading = originals.read(name) { photo.content = $0 }
      reading.wait()
      made[name] = photo.content.map { "small \($0)" }
      return made[name]
    }
  }

  // Sendable because it is written before the item ends and read after the wait for it.
  private final class Result: @unchecked Sendable {
    var content: String?
  }
}
