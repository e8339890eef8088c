import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Searches a server for photos.
struct SearchService: Sendable {
  private struct Page: Codable { let photos: [Photo] }

  let server: URL
  let key: String
  let session: URLSession

  func url(for term: String) -> URL {
    server.appending(path: "search")
      .appending(queryItems: [
        URLQueryItem(name: "term", value: term), URLQueryItem(name: "key", value: key),
      ])
  }

  func result(for term: String, in data: Data, _ response: URLResponse?) throws -> SearchResult {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else {
      throw status == 401 ? SearchError.wrongKey : .status(status)
    }
    let photos = try JSONDecoder().decode(Page.self, from: data).photos
    if photos.isEmpty { throw SearchError.nothingFound }
    return SearchResult(term: term, photos: photos)
  }
}
