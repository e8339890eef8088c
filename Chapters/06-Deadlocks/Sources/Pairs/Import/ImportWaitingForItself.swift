import Dispatch

extension Waiting {
  // One group for the whole import, so that the progress window can wait for it.
  final class Import: Sendable {
    private let queue: DispatchQueue
    let group = DispatchGroup()

    init(on queue: DispatchQueue) {
      self.queue = queue
    }

    /// Imports a folder; a folder within it is a member of the same group.
    func start(_ folder: Folder) {
      for _ in folder.photos { queue.async(group: group) {} }
      for inner in folder.folders {
        queue.async(group: group) {
          self.start(inner)
          self.group.wait()  // then write the folder's summary
        }
      }
    }
  }
}
