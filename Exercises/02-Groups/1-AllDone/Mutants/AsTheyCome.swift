// Looks right: the group counts the downloads, and a lock guards the results. Wrong: they are in the order in
// which the downloads ended.

extension Album {
  // region download
  /// Downloads photos, all at the same time, and returns while they are on their way.
  func download(
    _ names: [String], queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Photo, PhotoError>]) -> Void
  ) {
    let group = DispatchGroup()
    let results = Mutex<[Result<Photo, PhotoError>]>([])
    for name in names {
      group.enter()
      client.fetch(name) { result in
        results.withLock { $0.append(result) }
        group.leave()
      }
    }
    group.notify(queue: queue) { completion(results.withLock(\.self)) }
  }
  // endregion
}
