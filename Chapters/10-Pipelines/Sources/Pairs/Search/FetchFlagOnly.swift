import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension FlagOnly {
  /// Fetches a page. To cancel it sets a flag, which nobody looks at while the request is under way.
  // Sendable because nothing of its own changes.
  final class FetchOperation: ResultOperation<Data>, @unchecked Sendable {
    private let request: URLRequest
    private let transport: any CallbackTransport

    init(
      _ request: URLRequest, by transport: any CallbackTransport,
      then completion: @escaping Completion<Data>
    ) {
      self.request = request
      self.transport = transport
      super.init(then: completion)
    }

    override func main() {
      _ = transport.send(request) { [self] response in
        if isCancelled { return finish(with: .failure(CancellationError())) }
        finish(with: response.flatMap(\.page).explained(.fetch, at: request.url))
      }
    }
  }
}
