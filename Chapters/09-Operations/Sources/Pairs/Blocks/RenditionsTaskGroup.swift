extension TaskGrouped {
  /// Several renditions of one photo, each by a child task.
  struct Renditions: Sendable {
    func all(_ renders: [@Sendable () -> Photo]) async -> [Photo] {
      await withTaskGroup(of: (index: Int, photo: Photo).self) { group in
        for (index, render) in renders.enumerated() {
          group.addTask { (index, render()) }
        }
        var photos: [Int: Photo] = [:]
        for await (index, photo) in group { photos[index] = photo }
        return renders.indices.map { photos[$0]! }
      }
    }
  }
}
