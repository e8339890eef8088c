// Looks right: one operation fetches, waits and parses, so nothing is handed over. Wrong: in a queue of one the fetch
// has no place while it is waited for.

extension Search {
  // region load
  /// Fetches a page and parses it, and returns while that is under way.
  ///
  /// - Parameter completion: Called once, on any thread, with the names or with the reason for which there are none.
  func load(
    _ path: String, completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    queue.addOperation { [queue, client, parser] in
      let fetch = FetchOperation(path, client: client)
      queue.addOperations([fetch], waitUntilFinished: true)
      completion(fetch.result!.flatMap(parser.names))
    }
  }
  // endregion
}
