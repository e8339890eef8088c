// Looks right: the results are found again by the names, so their order does not matter. Wrong: two names that are
// equal share a place, and a photo is lost.

extension Album {
  // region download
  /// Downloads photos, all at the same time, and returns while they are on their way.
  func download(
    _ names: [String], queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Photo, PhotoError>]) -> Void
  ) {
    let group = DispatchGroup()
    let results = Mutex<[String: Result<Photo, PhotoError>]>([:])
    for name in names {
      group.enter()
      client.fetch(name) { result in
        results.withLock { $0[name] = result }
        group.leave()
      }
    }
    group.notify(queue: queue) {
      completion(results.withLock { results in names.compactMap { results[$0] } })
    }
  }
  // endregion
}
