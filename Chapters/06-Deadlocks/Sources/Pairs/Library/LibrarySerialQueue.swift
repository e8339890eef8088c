import Dispatch

extension Queued {
  // Sendable because both sets are used on `queue` only.
  final class Library: @unchecked Sendable {
    private let queue = DispatchQueue(label: "library")
    private var files: Set<String>
    private var titles: Set<String>

    init(photos: Set<String>) {
      files = photos
      titles = photos
    }

    func rename(_ name: String, to new: String) {
      queue.sync {
        if files.remove(name) != nil { files.insert(new) }
        if titles.remove(name) != nil { titles.insert(new) }
      }
    }

    func delete(_ name: String) {
      queue.sync {
        titles.remove(name)
        files.remove(name)
      }
    }

    var isConsistent: Bool { queue.sync { files == titles } }
  }
}
