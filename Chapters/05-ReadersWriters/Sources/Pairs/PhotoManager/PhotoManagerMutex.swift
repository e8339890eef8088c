import Synchronization

extension Mutexed {
  final class PhotoManager: Sendable {
    private let stored = Mutex<[PhotoValue]>([])
    let additions = Additions()

    func addPhoto(_ photo: PhotoValue) {
      stored.withLock { $0.append(photo) }
      // After the lock, because a listener that is woken may want it.
      additions.yield()
    }

    var photos: [PhotoValue] { stored.withLock { $0 } }
  }
}
