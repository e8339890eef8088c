import Dispatch

extension Barriered {
  // Sendable because `stored` is read on `queue` only, and written there in barriers only.
  final class DistinctPhotoManager: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.photos", attributes: .concurrent)
    private var stored: [any Photo] = []

    /// Leaves out what is there already: inside of the barrier the array itself is free to read.
    func addPhoto(_ photo: any Photo) {
      queue.sync(flags: .barrier) {
        guard !stored.contains(where: { $0.id == photo.id }) else { return }
        stored.append(photo)
      }
    }

    var photos: [any Photo] { queue.sync { stored } }
  }
}
