/// A photo, and who gave it.
struct Photo: Hashable, Sendable {
  let name: String
  let site: String
}

/// A server that has the same photos as others. It stays as it is.
protocol MirrorSite: Sendable {
  /// Downloads a photo. When its task is cancelled it soon ends, and throws `CancellationError`.
  func photo(_ name: String) async throws -> Photo
}

/// Photos that several sites have.
///
/// The check uses `Photo`, `MirrorSite`, `init(sites:)` and `photo(_:)`.
struct Gallery: Sendable {
  private let sites: [any MirrorSite]

  /// - Parameter sites: One or more; the first is the one that the others mirror.
  init(sites: [any MirrorSite]) {
    self.sites = sites
  }

  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
  ///
  /// When it returns or throws, no download is on its way any more.
  ///
  /// - Throws: If every site has failed, the error of the first site in the list. `CancellationError`
  ///   if the caller is cancelled.
  func photo(_ name: String) async throws -> Photo {
    let answer = await withTaskGroup { group in
      for (index, site) in sites.enumerated() {
        group.addTask {
          let result: Result<Photo, any Error>
          do { result = .success(try await site.photo(name)) } catch { result = .failure(error) }
          return (index, result)
        }
      }
      defer { group.cancelAll() }
      var failures: [Int: Result<Photo, any Error>] = [:]
      for await (index, result) in group {
        if case .success = result { return result }
        failures[index] = result
      }
      return Task.isCancelled ? .failure(CancellationError()) : failures[0]!
    }
    return try answer.get()
  }
  // endregion
}
