// Looks right: an operation hands over, and the parse begins after the fetch. Wrong: the parse does not depend on
// the one that hands over.

extension Search {
  // region load
  /// Fetches a page and parses it, and returns while that is under way.
  ///
  /// - Parameter completion: Called once, on any thread, with the names or with the reason for which there are none.
  func load(
    _ path: String, completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    let fetch = FetchOperation(path, client: client)
    let parse = ParseOperation(by: parser, completion: completion)
    let adapter = BlockOperation { parse.page = fetch.result }
    adapter.addDependency(fetch)
    parse.addDependency(fetch)
    queue.addOperations([fetch, adapter, parse], waitUntilFinished: false)
  }
  // endregion
}

// region parse
/// Parses the page that it is given.
// Sendable because `given` guards itself.
final class ParseOperation: Operation, @unchecked Sendable {
  private let parser: any Parser
  private let completion: @Sendable (Result<[String], SearchError>) -> Void
  private let given = Mutex<Result<String, SearchError>?>(nil)

  init(
    by parser: any Parser,
    completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    self.parser = parser
    self.completion = completion
  }

  var page: Result<String, SearchError>? {
    get { given.withLock { $0 } }
    set { given.withLock { $0 = newValue } }
  }

  override func start() {
    let page = page ?? .failure(.cancelled)
    completion(page.flatMap(parser.names))
    super.start()
  }
}
// endregion
