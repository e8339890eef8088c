import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PhotoClient {
  /// Returns with the photo; where the task is cancelled, so is the request.
  func photo(named name: String) async throws -> Photo {
    let (data, response) = try await session.data(from: server.appending(path: name))
    return try photo(in: data, response)
  }
}
