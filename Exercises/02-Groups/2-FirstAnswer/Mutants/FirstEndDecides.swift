// Looks right: the first is taken, and the others are cancelled. Wrong: the first to end may have failed.

extension Gallery {
  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
  func photo(_ name: String) async throws -> Photo {
    try await withThrowingTaskGroup { group in
      for site in sites {
        group.addTask { try await site.photo(name) }
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
  // endregion
}
