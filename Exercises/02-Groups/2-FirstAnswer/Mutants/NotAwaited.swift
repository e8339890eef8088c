// Looks right: tasks and a continuation, which the first photo resumes and which cancels the others. Wrong: nobody
// waits until they have ended, and the caller's cancellation reaches none of them.

extension Gallery {
  // region photo
  /// Asks all sites at the same time, and gives the first photo that comes.
  func photo(_ name: String) async throws -> Photo {
    let (results, input) = AsyncStream.makeStream(of: (Int, Result<Photo, any Error>).self)
    let tasks = sites.enumerated().map { index, site in
      Task {
        let result: Result<Photo, any Error>
        do { result = .success(try await site.photo(name)) } catch { result = .failure(error) }
        input.yield((index, result))
      }
    }
    defer { for task in tasks { task.cancel() } }
    var failures: [Int: Result<Photo, any Error>] = [:]
    for await (index, result) in results {
      if case .success(let photo) = result { return photo }
      failures[index] = result
      if failures.count == sites.count { break }
    }
    try Task.checkCancellation()
    return try failures[0]!.get()
  }
  // endregion
}
