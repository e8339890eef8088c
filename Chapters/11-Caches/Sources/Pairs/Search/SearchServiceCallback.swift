import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SearchService {
  /// Searches, and calls back once, on the session's queue.
  @Sendable func search(_ term: String, then completion: @escaping Completion<SearchResult>)
    -> Cancel
  {
    let task = session.dataTask(with: url(for: term)) { data, response, error in
      completion(
        Result {
          if (error as? URLError)?.code == .cancelled { throw CancellationError() }
          if let error { throw error }
          return try result(for: term, in: data ?? Data(), response)
        })
    }
    task.resume()
    return { task.cancel() }
  }
}
