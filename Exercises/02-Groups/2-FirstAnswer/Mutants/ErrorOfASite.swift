// Looks right: when all have ended and none has the photo, the first site's error is thrown. Wrong: if that site failed
// and the caller was cancelled after that, the caller gets the site's error, and not its own.

extension Gallery {
  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
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
      return failures[0]!
    }
    return try answer.get()
  }
  // endregion
}
