import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads photos over HTTP.
struct PhotoClient: Sendable {
  let server: URL
  let session: URLSession

  enum Failure: Error, Equatable {
    case status(Int)
    case noPhoto
  }

  init(server: URL, session: URLSession = .shared) {
    self.server = server
    self.session = session
  }

  func photo(in data: Data, _ response: URLResponse?) throws -> Photo {
    guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
      throw Failure.status((response as? HTTPURLResponse)?.statusCode ?? 0)
    }
    guard let photo = Photo(pixmap: Array(data)) else { throw Failure.noPhoto }
    return photo
  }
}
