import Dispatch

extension Unsynchronised {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class Exposure: @unchecked Sendable {
    private(set) var total = 0

    func measure(
      _ photos: [Photo], on queue: DispatchQueue, then completion: @escaping @Sendable (Int) -> Void
    ) {
      let group = DispatchGroup()
      for photo in photos {
        DispatchQueue.global().async(group: group) { self.add(photo) }
      }
      group.notify(queue: queue) { completion(self.total) }
    }

    func add(_ photo: Photo) {
      total += photo.light
    }
  }
}
