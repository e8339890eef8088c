import Dispatch

extension QueuedInside {
  // Months after both classes were written their queues were given one target, so that no two of them use the disk at
  // once. Sendable because the thumbnails are used on `queue` only.
  final class Thumbnails: @unchecked Sendable {
    private let queue: DispatchQueue
    private let originals: Originals
    private var made: [String: String] = [:]

    init(of originals: Originals, on disk: DispatchQueue) {
      queue = DispatchQueue(label: "thumbnails", target: disk)
      self.originals = originals
    }

    func thumbnail(of name: String) -> String? {
      queue.sync {
        if let thumbnail = made[name] { return thumbnail }
        guard let photo = originals.photo(name) else { return nil }
        made[name] = "small \(photo)"
        return made[name]
      }
    }

    /// The same without a `sync` inside: it has the photo read, and waits for the item that does.
    func thumbnailByWaiting(of name: String) -> String? {
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
}
