// Looks right: if the first to end has failed, the others are looked at. Wrong: they are cancelled by then.

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
      var failures: [Int: Result<Photo, any Error>] = [:]
      while let (index, result) = await group.next() {
        group.cancelAll()
        if case .success = result { return result }
        failures[index] = result
      }
      return Task.isCancelled ? .failure(CancellationError()) : failures[0]!
    }
    return try answer.get()
  }
  // endregion
}
