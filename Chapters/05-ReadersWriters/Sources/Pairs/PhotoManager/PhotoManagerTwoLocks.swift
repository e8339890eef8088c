import Foundation

extension LockedByHalves {
  // Sendable because `stored` is read and written under `lock` only. That guards each use, and not both.
  final class PhotoManager: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [any Photo] = []

    /// Takes a snapshot, and publishes a longer one: what was published in between is lost.
    func addPhoto(_ photo: any Photo) { photos = photos + [photo] }

    private(set) var photos: [any Photo] {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }
}
