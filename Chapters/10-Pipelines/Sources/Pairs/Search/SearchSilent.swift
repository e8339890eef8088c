import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Silent {
  /// Searches with three operations. The one in the middle hands over a page, and no error.
  struct Search: Sendable {
    let transport: any CallbackTransport
    let queue: OperationQueue

    func load(
      _ request: URLRequest, then completion: @escaping @Sendable ([Repository]) -> Void
    ) {
      let fetch = FetchOperation(request, by: transport)
      let parse = ParseOperation(then: completion)
      let adapter = BlockOperation { [weak parse] in parse?.page = try? fetch.result?.get() }
      adapter.addDependency(fetch)
      parse.addDependency(adapter)
      queue.addOperations([fetch, adapter, parse], waitUntilFinished: false)
    }
  }
}
