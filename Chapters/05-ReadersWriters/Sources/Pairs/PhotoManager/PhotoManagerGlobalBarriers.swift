import Dispatch

extension OnGlobalQueue {
  // Sendable is false on purpose: all share the global queue, so it takes no notice of a barrier. It runs in a child
  // process, or under the explorer, only.
  final class PhotoManager: @unchecked Sendable {
    private let queue = DispatchQueue.global()
    private var stored: [any Photo] = []

    func addPhoto(_ photo: any Photo) {
      queue.sync(flags: .barrier) { stored = stored + [photo] }
    }

    var photos: [any Photo] { queue.sync { stored } }
  }
}
