import Dispatch

extension Queued {
  // Sendable because `stored` is read and written on `queue` only.
  final class PhotoManager: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.photos")
    private var stored: [any Photo] = []
    private let contentAdded: (@Sendable () -> Void)?

    init(contentAdded: (@Sendable () -> Void)? = nil) {
      self.contentAdded = contentAdded
    }

    func addPhoto(_ photo: any Photo) {
      queue.async {
        self.stored.append(photo)
        if let contentAdded = self.contentAdded { DispatchQueue.main.async(execute: contentAdded) }
      }
    }

    /// A copy: later photos are not in it. Readers take turns.
    var photos: [any Photo] { queue.sync { stored } }
  }
}
