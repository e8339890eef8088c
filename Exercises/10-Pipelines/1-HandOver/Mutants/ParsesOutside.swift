// Looks right: the completion block has the result, and nothing comes before it. Wrong: it is not in the queue, whose
// width is there to limit how many pages are parsed.

extension Search {
  // region load
  /// Fetches a page and parses it, and returns while that is under way.
  ///
  /// - Parameter completion: Called once, on any thread, with the names or with the reason for which there are none.
  func load(
    _ path: String, completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    let fetch = FetchOperation(path, client: client)
    fetch.completionBlock = { [parser] in completion(fetch.result!.flatMap(parser.names)) }
    queue.addOperation(fetch)
  }
  // endregion
}
