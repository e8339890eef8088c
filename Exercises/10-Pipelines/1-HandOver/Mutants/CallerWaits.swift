// Looks right: when the call returns, the result is there. Wrong: the caller waits for it, and it may be the one that
// the network waits for.

extension Search {
  // region load
  /// Fetches a page and parses it, and returns while that is under way.
  ///
  /// - Parameter completion: Called once, on any thread, with the names or with the reason for which there are none.
  func load(
    _ path: String, completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    let fetch = FetchOperation(path, client: client)
    let parse = ParseOperation(pageOf: fetch, by: parser, completion: completion)
    queue.addOperations([fetch, parse], waitUntilFinished: true)
  }
  // endregion
}
