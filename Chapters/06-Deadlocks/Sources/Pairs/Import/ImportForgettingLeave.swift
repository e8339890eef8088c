import Dispatch

extension Forgetful {
  final class Import: Sendable {
    private let queue: DispatchQueue
    let group = DispatchGroup()

    init(on queue: DispatchQueue) {
      self.queue = queue
    }

    func start(_ folder: Folder) {
      for photo in folder.photos {
        group.enter()
        queue.async {
          guard !photo.isEmpty else { return }  // added later, for a bug report
          self.group.leave()
        }
      }
    }
  }
}
