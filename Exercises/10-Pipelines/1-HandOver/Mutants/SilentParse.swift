// Looks right: an operation in the middle hands over, so nothing comes too late. Wrong: it hands over a page and no
// error, and without a page nobody is told.

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
    let adapter = BlockOperation { parse.page = try? fetch.result?.get() }
    adapter.addDependency(fetch)
    parse.addDependency(adapter)
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
  private let given = Mutex<String?>(nil)

  init(
    by parser: any Parser,
    completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    self.parser = parser
    self.completion = completion
  }

  var page: String? {
    get { given.withLock { $0 } }
    set { given.withLock { $0 = newValue } }
  }

  override func main() {
    guard let page else { return }
    completion(parser.names(in: page))
  }
}
// endregion
