// Looks right: one group, made once, is entered for each download and left when it is there. Wrong: it counts the
// downloads of all calls, so whoever asked first waits for those who ask later.

extension Album {
  // region download
  private let group = DispatchGroup()

  /// Downloads photos, all at the same time, and returns while they are on their way.
  func download(
    _ names: [String], queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Photo, PhotoError>]) -> Void
  ) {
    let results = Mutex([Result<Photo, PhotoError>?](repeating: nil, count: names.count))
    for (index, name) in names.enumerated() {
      group.enter()
      client.fetch(name) { [group] result in
        results.withLock { $0[index] = result }
        group.leave()
      }
    }
    group.notify(queue: queue) { completion(results.withLock { $0.compactMap(\.self) }) }
  }
  // endregion
}
