// Looks right: the group is entered and left around each download. Wrong: a download that fails returns early
// and does not leave.

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
        guard case .success = result else { return }
        group.leave()
      }
    }
    group.notify(queue: queue) { completion(results.withLock { $0.compactMap(\.self) }) }
  }
  // endregion
}
