import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HandedOver {
  /// Searches with two operations. The completion block of the first gives the page to the second.
  struct Search: Sendable {
    let transport: any CallbackTransport
    let queue: OperationQueue
    var report: Report = { _ in }

    func load(
      _ request: URLRequest, then completion: @escaping @Sendable ([Repository]) -> Void
    ) {
      let fetch = FetchOperation(request, by: transport)
      let parse = Silent.ParseOperation(then: completion)
      fetch.completionBlock = {
        report(.fetched)
        parse.page = try? fetch.result?.get()
      }
      parse.addDependency(fetch)
      queue.addOperations([fetch, parse], waitUntilFinished: false)
    }
  }
}
