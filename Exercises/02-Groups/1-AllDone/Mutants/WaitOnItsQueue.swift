// Looks right: the caller goes on, since the wait is in a block. Wrong: the block blocks the queue, and a client
// that calls back on that queue never does.

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
      client.fetch(name) { result in
        results.withLock { $0[index] = result }
        group.leave()
      }
    }
    queue.async {
      group.wait()
      completion(results.withLock { $0.compactMap(\.self) })
    }
  }
  // endregion
}
