extension Gallery {
  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
  ///
  /// When it returns or throws, no download is on its way any more.
  ///
  /// - Throws: If every site has failed, the error of the first site in the list. `CancellationError`
  ///   if the caller is cancelled.
  func photo(_ name: String) async throws -> Photo {
    // Was: for site in sites { site.fetch(name) { result in
    //        lock.withLock { if !isAnswered { isAnswered = true; completion(result) } }
    //      } }
    // TODO: Give the first photo, not the first result, and let the other downloads end.
    try await withThrowingTaskGroup { group in
      for site in sites {
        group.addTask { try await site.photo(name) }
      }
      return try await group.next()!
    }
  }
  // endregion
}
