import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Async {
  /// Searches with two functions, one after the other.
  struct Search: Sendable {
    let transport: any Transport
    var report: Report = { _ in }

    /// - Throws: A ``SearchError``, or `CancellationError`.
    func load(_ request: URLRequest) async throws -> [Repository] {
      let page = try await fetch(request)
      report(.fetched)
      return try await parse(page, from: request.url)
    }
  }
}
