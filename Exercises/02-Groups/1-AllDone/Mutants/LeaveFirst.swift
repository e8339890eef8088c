// Looks right: every path enters once and leaves once. Wrong: the last one leaves before its result is stored, so
// the announcement may come without it.

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
        group.leave()
        results.withLock { $0[index] = result }
      }
    }
    group.notify(queue: queue) { completion(results.withLock { $0.compactMap(\.self) }) }
  }
  // endregion
}
