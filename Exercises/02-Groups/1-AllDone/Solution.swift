import ControlledDispatch  // its types are spelled as Dispatch's, and the check gives the turns

/// A photo, as it was when it was asked for.
struct Photo: Hashable, Sendable {
  let name: String
  /// Which one it is of all that the server has given.
  let number: Int
}

/// Why there is no photo.
struct PhotoError: Error, Hashable {
  let name: String
}

/// Downloads photos. It stays as it is.
protocol PhotoClient: Sendable {
  /// Begins a download, and calls back once, on any thread or queue; for a photo that it has already,
  /// before it returns.
  func fetch(_ name: String, completion: @escaping @Sendable (Result<Photo, PhotoError>) -> Void)
}

/// Downloads the photos of an album.
///
/// The check uses `Photo`, `PhotoError`, `PhotoClient`, `init(client:)` and
/// `download(_:queue:completion:)`.
final class Album: Sendable {
  private let client: any PhotoClient

  init(client: any PhotoClient) {
    self.client = client
  }

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
    let group = DispatchGroup()
    let results = Mutex([Result<Photo, PhotoError>?](repeating: nil, count: names.count))
    for (index, name) in names.enumerated() {
      group.enter()
      client.fetch(name) { result in
        results.withLock { $0[index] = result }
        group.leave()
      }
    }
    group.notify(queue: queue) { completion(results.withLock { $0.compactMap(\.self) }) }
  }
  // endregion
}
