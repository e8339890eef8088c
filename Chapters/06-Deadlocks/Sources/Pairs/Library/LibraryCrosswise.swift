import Dispatch

extension QueuedCrosswise {
  // Sendable because the files are used on `disk` only, and the titles on `index` only.
  final class Library: @unchecked Sendable {
    private let disk = DispatchQueue(label: "disk")
    private let index = DispatchQueue(label: "index")
    private var files: Set<String>
    private var titles: Set<String>

    init(photos: Set<String>) {
      files = photos
      titles = photos
    }

    /// From the folder watcher: it is on `disk`, and brings the index in line.
    func rename(_ name: String, to new: String) {
      disk.sync {
        if files.remove(name) != nil { files.insert(new) }
        index.sync {
          if titles.remove(name) != nil { titles.insert(new) }
        }
      }
    }

    /// From the search field: it is on `index`, and deletes the file too.
    func delete(_ name: String) {
      index.sync {
        titles.remove(name)
        disk.sync { _ = files.remove(name) }
      }
    }

    var isConsistent: Bool { disk.sync { index.sync { files == titles } } }
  }
}
