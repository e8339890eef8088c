// Looks right: each download enters before it begins, and leaves when it has called back. Wrong: the block
// that enters may come after notify, which has found the group empty.

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
      DispatchQueue.global().async { [client] in
        group.enter()
        client.fetch(name) { result in
          results.withLock { $0[index] = result }
          group.leave()
        }
      }
    }
    group.notify(queue: queue) { completion(results.withLock { $0.compactMap(\.self) }) }
  }
  // endregion
}
