// Looks right: all that there is to tell is told in `main`. Wrong: an operation that is cancelled before it begins
// does not come there.

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

  override func main() {
    let page = isCancelled ? .failure(.cancelled) : fetch.result!
    completion(page.flatMap(parser.names))
  }
}
// endregion
