import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Async.Search {
  /// Fetches a page. Where the task is cancelled, so is the request.
  func fetch(_ request: URLRequest) async throws -> Data {
    do {
      return try await transport.send(request).page.get()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw SearchError(step: .fetch, url: request.url, cause: error)
    }
  }
}
