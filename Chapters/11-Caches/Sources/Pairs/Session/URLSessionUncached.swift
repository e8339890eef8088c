import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// A session without a cache of its own, which would keep pictures a third time.
  static func uncached(connections: Int, silence: TimeInterval) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = silence
    return URLSession(configuration: configuration)
  }
}
