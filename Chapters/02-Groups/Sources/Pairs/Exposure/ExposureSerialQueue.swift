import Dispatch

extension Queued {
  // Sendable because `sum` is read and written on `adding` only.
  final class Exposure: @unchecked Sendable {
    private let adding = DispatchQueue(label: "adding")
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

    /// Only the sum is on the queue; the light of several photos is measured at once.
    func add(_ photo: Photo) {
      let light = photo.light
      adding.sync { sum += light }
    }

    var total: Int { adding.sync { sum } }
  }
}
