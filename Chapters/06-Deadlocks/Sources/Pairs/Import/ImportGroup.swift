import Dispatch

extension CalledBack {
  final class Import: Sendable {
    private let queue: DispatchQueue

    init(on queue: DispatchQueue) {
      self.queue = queue
    }

    /// Imports a folder and calls back when all in it is done. Each folder has a group of its own, and a
    /// `defer` next to its `enter()`.
    func start(_ folder: Folder, then completion: @escaping @Sendable () -> Void) {
      let group = DispatchGroup()
      for photo in folder.photos {
        group.enter()
        queue.async {
          defer { group.leave() }
          guard !photo.isEmpty else { return }
        }
      }
      for inner in folder.folders {
        group.enter()
        start(inner) { group.leave() }
      }
      group.notify(queue: queue, execute: completion)
    }
  }
}
