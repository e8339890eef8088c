// Looks right: the first photo wins and the others are cancelled. Wrong: the group is in a task of its own, which does
// not hear that the caller is cancelled.

extension Gallery {
  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
  func photo(_ name: String) async throws -> Photo {
    let answer = Task {
      await withTaskGroup { group in
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
    }
    return try await answer.value.get()
  }
  // endregion
}
