import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Linked {
  /// Searches with two operations. The parse has the page from the fetch that it depends on.
  struct Search: Sendable {
    let transport: any CallbackTransport
    let queue: OperationQueue
    var report: Report = { _ in }

    /// - Parameter completion: Called once, in the parse's thread.
    /// - Returns: What cancels the search until its page is there.
    @discardableResult
    func load(
      _ request: URLRequest, then completion: @escaping Completion<[Repository]>
    ) -> Cancel {
      let fetch = FetchOperation(request, by: transport) { page in
        if case .success = page { report(.fetched) }
      }
      let parse = ParseOperation(pageOf: fetch, at: request.url, then: completion)
      queue.addOperations([fetch, parse], waitUntilFinished: false)
      // The parse is not cancelled: it carries the news.
      return { fetch.cancel() }
    }
  }
}
