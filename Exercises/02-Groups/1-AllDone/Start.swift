extension Album {
  // region download
  /// Downloads photos, all at the same time, and returns while they are on their way.
  ///
  /// - Parameters:
  ///   - names: Two may be equal; each is a download of its own.
  ///   - queue: Where the completion is called. It is not blocked in the meantime.
  ///   - completion: Is called once, when all downloads have called back, with what each of them gave, in
  ///     the order of the names.
  func download(
    _ names: [String], queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Photo, PhotoError>]) -> Void
  ) {
    // TODO: Announce once, when all downloads have called back, with a result for each name, in order.
    let group = DispatchGroup()
    let results = Mutex<[Result<Photo, PhotoError>]>([])
    for name in names {
      DispatchQueue.global().async(group: group) { [client] in
        client.fetch(name) { result in
          results.withLock { $0.append(result) }
        }
      }
    }
    group.notify(queue: queue) { completion(results.withLock(\.self)) }
  }
  // endregion
}
