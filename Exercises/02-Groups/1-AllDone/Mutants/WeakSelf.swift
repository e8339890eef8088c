// Looks right: the callback does not keep the album, as one learns of completion handlers. Wrong: without the
// album it returns before it leaves the group.

extension Album {
  // region download
  /// Downloads photos, all at the same time, and returns while they are on their way.
  func download(
    _ names: [String], queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Photo, PhotoError>]) -> Void
  ) {
    let group = DispatchGroup()
    let results = Mutex([Result<Photo, PhotoError>?](repeating: nil, count: names.count))
    for (index, name) in names.enumerated() {
      group.enter()
      client.fetch(name) { [weak self] result in
        guard self != nil else { return }
        results.withLock { $0[index] = result }
        group.leave()
      }
    }
    group.notify(queue: queue) { completion(results.withLock { $0.compactMap(\.self) }) }
  }
  // endregion
}
