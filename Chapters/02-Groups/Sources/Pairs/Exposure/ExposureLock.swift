import Dispatch
import Foundation

extension Locked {
  // Sendable because `sum` is read and written under `lock` only.
  final class Exposure: @unchecked Sendable {
    private let lock = NSLock()
    private var sum = 0

    func measure(
      _ photos: [Photo], on queue: DispatchQueue, then completion: @escaping @Sendable (Int) -> Void
    ) {
      let group = DispatchGroup()
      for photo in photos {
        DispatchQueue.global().async(group: group) { self.add(photo) }
      }
      group.notify(queue: queue) { completion(self.total) }
    }

    /// Only the sum is under the lock; the light of several photos is measured at once.
    func add(_ photo: Photo) {
      let light = photo.light
      lock.withLock { sum += light }
    }

    var total: Int { lock.withLock { sum } }
  }
}
