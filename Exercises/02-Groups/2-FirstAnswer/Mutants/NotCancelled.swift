// Looks right: failures are passed over, and the first photo leaves the group. Wrong: nobody cancels the others,
// so the group waits for the slowest.

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
