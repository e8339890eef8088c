import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches a page.
// Sendable because `cancellation` guards itself, and the rest does not change.
final class FetchOperation: ResultOperation<Data>, @unchecked Sendable {
  private let request: URLRequest
  private let transport: any CallbackTransport
  private let cancellation = Cancellation()

  init(
    _ request: URLRequest, by transport: any CallbackTransport,
    then completion: @escaping Completion<Data> = { _ in }
  ) {
    self.request = request
    self.transport = transport
    super.init(then: completion)
  }

  override func main() {
    let cancel = transport.send(request) { [self] response in
      finish(with: response.flatMap(\.page).explained(.fetch, at: request.url))
    }
    cancellation.begun(cancel)
  }

  override func cancel() {
    super.cancel()
    cancellation.cancel()
  }
}
