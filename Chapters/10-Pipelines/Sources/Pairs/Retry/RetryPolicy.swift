import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whether to ask again, and after what delay.
struct RetryPolicy: Sendable {
  /// How often to ask in all.
  var attempts = 4
  /// The delay after the first attempt. Each further one is twice as long, up to `longest`. Nor is a server asked again
  /// that wants to be left alone for longer.
  var first = Duration.milliseconds(500)
  var longest = Duration.seconds(30)
  /// How much of its second half a delay takes, from 0 to 1. It is drawn, so that clients that failed together do not
  /// come back together.
  var jitter: @Sendable () -> Double = { .random(in: 0...1) }

  /// The delay after an attempt; nil if its result stands.
  ///
  /// - Parameters:
  ///   - request: Asked again only if it is a GET or HEAD. Another one may have been carried out though its answer is
  ///     lost.
  ///   - attempt: Its number, from 1.
  func delay(
    after result: Result<Response, any Error>, to request: URLRequest, attempt: Int
  ) -> Duration? {
    guard attempt < attempts, ["GET", "HEAD"].contains(request.httpMethod) else { return nil }
    switch result {
    case .success(let response):
      guard [429, 500, 502, 503, 504].contains(response.status) else { return nil }
      guard let wanted = response.retryAfter else { return backOff(attempt) }
      return wanted <= longest ? wanted : nil
    case .failure(TransportError.connection): return backOff(attempt)
    case .failure: return nil
    }
  }

  private func backOff(_ attempt: Int) -> Duration {
    var delay = first
    for _ in 1..<attempt where delay < longest { delay *= 2 }
    return min(delay, longest) / 2 * (1 + jitter())
  }
}
