import ControlledDispatch  // its types are spelled as Foundation's, and the check gives the turns

/// Why there are no names.
enum SearchError: Error, Hashable {
  case fetch(cause: String)
  case parse(page: String)
  case cancelled
}

/// Gets pages, over a network. It stays as it is.
protocol Client: Sendable {
  /// Calls back once, on any thread: with a page, or with the cause for which there is none.
  func fetch(_ path: String, completion: @escaping @Sendable (Result<String, SearchError>) -> Void)
}

/// Finds names in a page, which takes a while. It stays as it is.
protocol Parser: Sendable {
  func names(in page: String) -> Result<[String], SearchError>
}

/// Fetches a page. It stays as it is.
// Sendable because `state` guards what changes.
final class FetchOperation: Operation, @unchecked Sendable {
  private let path: String
  private let client: any Client
  private let state = Mutex<(hasBegun: Bool, result: Result<String, SearchError>?)>((false, nil))

  init(_ path: String, client: any Client) {
    self.path = path
    self.client = client
  }

  /// The page; there when the operation has finished.
  var result: Result<String, SearchError>? { state.withLock { $0.result } }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { state.withLock { $0.hasBegun && $0.result == nil } }
  override var isFinished: Bool { state.withLock { $0.result != nil } }

  override func start() {
    if isCancelled { return finish(with: .failure(.cancelled)) }
    state.withLock { $0.hasBegun = true }
    client.fetch(path) { self.finish(with: $0) }
  }

  private func finish(with result: Result<String, SearchError>) {
    willChangeValue(forKey: "isFinished")
    state.withLock { $0.result = result }
    didChangeValue(forKey: "isFinished")
  }
}

/// Searches in pages.
///
/// The check uses `SearchError`, `Client`, `Parser`, `init(client:parser:queue:)` and `load(_:completion:)`.
final class Search: Sendable {
  private let client: any Client
  private let parser: any Parser
  private let queue: OperationQueue

  /// - Parameter queue: Where pages are fetched and parsed. It may be one wide, and somebody else may cancel what is in it.
  init(client: any Client, parser: any Parser, queue: OperationQueue) {
    self.client = client
    self.parser = parser
    self.queue = queue
  }

  // region load
  /// Fetches a page and parses it, and returns while that is under way.
  ///
  /// - Parameter completion: Called once, on any thread, with the names or with the reason for which there are none.
  func load(
    _ path: String, completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    let fetch = FetchOperation(path, client: client)
    let parse = ParseOperation(pageOf: fetch, by: parser, completion: completion)
    queue.addOperations([fetch, parse], waitUntilFinished: false)
  }
  // endregion
}

// region parse
/// Parses the page of the fetch that it depends on, and says what came of it.
// Sendable because nothing of its own changes.
final class ParseOperation: Operation, @unchecked Sendable {
  private let fetch: FetchOperation
  private let parser: any Parser
  private let completion: @Sendable (Result<[String], SearchError>) -> Void

  init(
    pageOf fetch: FetchOperation, by parser: any Parser,
    completion: @escaping @Sendable (Result<[String], SearchError>) -> Void
  ) {
    self.fetch = fetch
    self.parser = parser
    self.completion = completion
    super.init()
    addDependency(fetch)
  }

  // Not `main`: an operation that is cancelled before it begins does not come there.
  override func start() {
    let page = isCancelled ? .failure(.cancelled) : fetch.result!
    completion(page.flatMap(parser.names))
    super.start()
  }
}
// endregion
