import Dispatch

extension BarrieredSync {
  // Sendable because `stored` is read on `queue` only, and written there in barriers only.
  final class PhotoManager: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.photos", attributes: .concurrent)
    private var stored: [any Photo] = []

    /// Waits for the readers before it, and returns when the photo is there.
    func addPhoto(_ photo: any Photo) {
      queue.sync(flags: .barrier) { stored.append(photo) }
    }

    var photos: [any Photo] { queue.sync { stored } }
  }
}
