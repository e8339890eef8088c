import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PhotoClient {
  /// Returns at once, and calls back on the session's queue.
  func fetch(_ name: String, then completion: @escaping @Sendable (Answer) -> Void) {
    session.dataTask(with: server.appending(path: name)) { data, response, error in
      completion(
        Answer {
          if let error { throw error }
          return try photo(in: data ?? Data(), response)
        })
    }.resume()
  }
}
