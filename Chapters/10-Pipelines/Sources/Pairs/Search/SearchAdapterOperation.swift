import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Adapted {
  /// Parses the page that it is given before it begins.
  // Sendable because what changes is used under `lock` only.
  final class ParseOperation: ResultOperation<[Repository]>, @unchecked Sendable {
    struct NoPage: Error {}

    private let lock = NSLock()
    private let url: URL?
    private var given: Result<Data, any Error> = .failure(NoPage())

    init(from url: URL?, then completion: @escaping Completion<[Repository]>) {
      self.url = url
      super.init(then: completion)
    }

    var page: Result<Data, any Error> {
      get { lock.withLock { given } }
      set { lock.withLock { given = newValue } }
    }

    override func main() {
      finish(with: page.flatMap { SearchPage.repositories(in: $0, from: url) })
    }
  }

  /// Searches with three operations. The one in the middle gives the page of the first to the last.
  struct Search: Sendable {
    let transport: any CallbackTransport
    let queue: OperationQueue
    var report: Report = { _ in }

    @discardableResult
    func load(
      _ request: URLRequest, then completion: @escaping Completion<[Repository]>
    ) -> Cancel {
      let fetch = FetchOperation(request, by: transport) { page in
        if case .success = page { report(.fetched) }
      }
      let parse = ParseOperation(from: request.url, then: completion)
      // Weak, because the parse keeps the adapter, on which it depends.
      let adapter = BlockOperation { [weak parse] in
        if let page = fetch.result { parse?.page = page }
      }
      adapter.addDependency(fetch)
      parse.addDependency(adapter)
      queue.addOperations([fetch, adapter, parse], waitUntilFinished: false)
      return { fetch.cancel() }
    }
  }
}
