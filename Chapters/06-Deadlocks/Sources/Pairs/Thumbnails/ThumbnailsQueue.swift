import Dispatch

extension Queued {
  // Sendable because `made` is used on `queue` only.
  final class Thumbnails: @unchecked Sendable {
    private let queue: DispatchQueue
    private let originals: Originals
    private var made: [String: String] = [:]

    init(of originals: Originals, on disk: DispatchQueue) {
      queue = DispatchQueue(label: "thumbnails", target: disk)
      self.originals = originals
    }

    /// Leaves its own queue before it goes to the other. Two who ask at once may both make it.
    func thumbnail(of name: String) -> String? {
      if let thumbnail = queue.sync(execute: { made[name] }) { return thumbnail }
      guard let photo = originals.photo(name) else { return nil }
      let thumbnail = "small \(photo)"
      queue.sync { made[name] = thumbnail }
      return thumbnail
    }
  }
}
