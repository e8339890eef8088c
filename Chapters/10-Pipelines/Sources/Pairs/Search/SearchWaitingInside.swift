import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension WaitingInside {
  /// Searches in one operation, which waits for two others of its queue.
  struct Search: Sendable {
    let transport: any CallbackTransport
    let queue: OperationQueue

    func load(
      _ request: URLRequest, then completion: @escaping Completion<[Repository]>
    ) {
      queue.addOperation {
        let fetch = FetchOperation(request, by: transport)
        let parse = Linked.ParseOperation(pageOf: fetch, at: request.url) { _ in }
        queue.addOperations([fetch, parse], waitUntilFinished: true)
        completion(parse.result!)
      }
    }
  }
}
