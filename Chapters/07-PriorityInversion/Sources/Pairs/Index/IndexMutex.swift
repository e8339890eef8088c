import Synchronization

extension Mutexed {
  /// A search index behind a `Mutex`: on Linux a lock of the kernel, which raises its owner.
  final class Index: Sendable {
    private let found = Mutex<[String]>([])

    func add(_ photo: String) {
      found.withLock { $0.append(photo) }
    }

    var photos: [String] { found.withLock(\.self) }
  }
}
