import Synchronization

extension Snapshotted {
  /// For many reads and few writes: a reader looks at one atomic, and takes the lock only when there is something new.
  final class PhotoManager: Sendable {
    private let stored = Mutex<[PhotoValue]>([])
    private let version = Atomic(0)

    func addPhoto(_ photo: PhotoValue) {
      stored.withLock { stored in
        stored.append(photo)
        version.add(1, ordering: .releasing)
      }
    }

    /// A reader with a copy of its own; each thread or task makes one for itself.
    struct Reader {
      private let manager: PhotoManager
      private var copy: [PhotoValue] = []
      private var version = 0

      fileprivate init(_ manager: PhotoManager) {
        self.manager = manager
      }

      var photos: [PhotoValue] {
        mutating get {
          if manager.version.load(ordering: .acquiring) != version {
            (copy, version) = manager.stored.withLock {
              ($0, manager.version.load(ordering: .relaxed))
            }
          }
          return copy
        }
      }
    }

    func makeReader() -> Reader { Reader(self) }
  }
}
