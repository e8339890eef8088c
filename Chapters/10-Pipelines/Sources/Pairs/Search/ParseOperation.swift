import Foundation

extension Linked {
  /// Parses the page that another operation fetches.
  // Sendable because nothing of its own changes.
  final class ParseOperation: ResultOperation<[Repository]>, @unchecked Sendable {
    private let fetch: FetchOperation
    private let url: URL?

    /// - Parameter fetch: What it depends on.
    init(
      pageOf fetch: FetchOperation, at url: URL?,
      then completion: @escaping Completion<[Repository]>
    ) {
      self.fetch = fetch
      self.url = url
      super.init(then: completion)
      addDependency(fetch)
    }

    override func main() {
      // It is finished, so its result is there.
      finish(with: fetch.result!.flatMap { SearchPage.repositories(in: $0, from: url) })
    }
  }
}

extension SearchPage {
  static func repositories(in page: Data, from url: URL?) -> Result<[Repository], any Error> {
    Result { try SearchPage(json: page).items }.explained(.parse, at: url)
  }
}
