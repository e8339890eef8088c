import Synchronization

extension Mutexed {
  final class PhotoManager: Sendable {
    private let stored = Mutex<[PhotoValue]>([])

    /// Tells of each photo that has been added how many there are; only the newest number is kept.
    let additions: AsyncStream<Int>
    private let added: AsyncStream<Int>.Continuation

    init() {
      (additions, added) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { added.finish() }

    func addPhoto(_ photo: PhotoValue) {
      let count = stored.withLock { stored in
        stored.append(photo)
        return stored.count
      }
      // After the lock: whoever is resumed may want it.
      added.yield(count)
    }

    var photos: [PhotoValue] { stored.withLock { $0 } }
  }
}
