import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gets the response to a request.
protocol Transport: Sendable {
  /// - Throws: A ``TransportError`` where there is no response, or not all of it; `CancellationError` where the task is
  ///   cancelled, and then the request is, too.
  func send(_ request: URLRequest) async throws -> Response
}

/// Gets the response to a request, and calls back.
protocol CallbackTransport: Sendable {
  /// - Parameter completion: Called once, on any thread: with the response, a ``TransportError``, or a
  ///   `CancellationError`.
  /// - Returns: What cancels the request.
  func send(_ request: URLRequest, then completion: @escaping Completion<Response>) -> Cancel
}

typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void
typealias Cancel = @Sendable () -> Void

/// What a server answers.
struct Response: Sendable {
  let status: Int
  /// How long the server asks to be left alone.
  var retryAfter: Duration?
  var body = Data()

  /// Its body, if there is a page in it.
  var page: Result<Data, any Error> {
    status == 200 ? .success(body) : .failure(StatusError(status: status))
  }
}

/// Why there is no response.
enum TransportError: Error {
  /// There is no connection, or it ended before the response did.
  case connection(any Error)
  /// It cannot be sent as it is, or must not be, as to a server whose certificate is not trusted.
  case refused(any Error)
  case tooManyRedirects
  case tooLarge(limit: Int)
  case timedOut(after: Duration)
}
