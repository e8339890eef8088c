// Looks right: the next site is asked when one fails, and nothing has to be cancelled. Wrong: a site that hangs is
// waited for.

extension Gallery {
  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
  func photo(_ name: String) async throws -> Photo {
    var failure: (any Error)?
    for site in sites {
      do { return try await site.photo(name) } catch { failure = failure ?? error }
    }
    throw failure!
  }
  // endregion
}
