import Dispatch

extension Barriered {
  // Sendable because `stored` is read on `queue` only, and written there in barriers only.
  final class PhotoManager: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.photos", attributes: .concurrent)
    private var stored: [any Photo] = []
    private let contentAdded: (@Sendable () -> Void)?

    /// - Parameter contentAdded: Called on the main queue after each photo that has been added.
    init(contentAdded: (@Sendable () -> Void)? = nil) {
      self.contentAdded = contentAdded
    }

    /// Returns at once; whoever reads after that, reads it.
    func addPhoto(_ photo: any Photo) {
      queue.async(flags: .barrier) {
        self.stored.append(photo)
        if let contentAdded = self.contentAdded { DispatchQueue.main.async(execute: contentAdded) }
      }
    }

    /// A copy: later photos are not in it. Readers read beside each other.
    var photos: [any Photo] { queue.sync { stored } }
  }
}
