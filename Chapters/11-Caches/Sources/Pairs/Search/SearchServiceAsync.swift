import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SearchService {
  @concurrent @Sendable func search(_ term: String) async throws -> SearchResult {
    do {
      let (data, response) = try await session.data(from: url(for: term))
      return try result(for: term, in: data, response)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    }
  }
}
