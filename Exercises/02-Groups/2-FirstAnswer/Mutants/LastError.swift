// Looks right: only when all have failed, an error is thrown. Wrong: it is the error of the site that failed
// last.

extension Gallery {
  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
  func photo(_ name: String) async throws -> Photo {
    try await withThrowingTaskGroup { group in
      for site in sites {
        group.addTask { try await site.photo(name) }
      }
      defer { group.cancelAll() }
      var failure: any Error = CancellationError()
      while let result = await group.nextResult() {
        switch result {
        case .success(let photo): return photo
        case .failure(let error): failure = error
        }
      }
      throw failure
    }
  }
  // endregion
}
