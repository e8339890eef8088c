import Dispatch

extension Unbarriered {
  // Sendable is false on purpose: writes run beside reads and writes. It runs in a child process, or under the explorer,
  // only.
  final class PhotoManager: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.photos", attributes: .concurrent)
    private var stored: [any Photo] = []

    func addPhoto(_ photo: any Photo) {
      queue.sync { stored = stored + [photo] }
    }

    var photos: [any Photo] { queue.sync { stored } }
  }
}
