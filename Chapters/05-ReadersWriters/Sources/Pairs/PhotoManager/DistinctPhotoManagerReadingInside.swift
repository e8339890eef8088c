import Dispatch

extension BarrieredInside {
  // Sendable because `stored` is read on `queue` only, and written there in barriers only.
  final class DistinctPhotoManager: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.photos", attributes: .concurrent)
    private var stored: [any Photo] = []

    /// Leaves out what is there already, and asks for that inside of the barrier.
    func addPhoto(_ photo: any Photo) {
      queue.sync(flags: .barrier) {
        guard !photos.contains(where: { $0.id == photo.id }) else { return }
        stored.append(photo)
      }
    }

    var photos: [any Photo] { queue.sync { stored } }
  }
}
