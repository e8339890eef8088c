public import Foundation

/// HTTP from this process to itself: a server on the loopback interface, for as long as a body runs. What it answers may
/// be wrong on purpose.
///
/// ```swift
/// try await HTTPServer.run { request in
///   request.name == "numbers" ? .status(200, body: Data("[1, 2]".utf8)) : .status(404)
/// } during: { server in
///   let (data, _) = try await URLSession.shared.data(from: server.url(of: "numbers"))
///   // server.log == [.begun("numbers"), .answered("numbers")]
/// }
/// ```
///
/// Each request has a connection of its own, which closes behind the response.
public struct HTTPServer: Sendable {
  /// What the server has seen or done, with the name of the request.
  public enum Event: Hashable, Sendable {
    /// A request of this name has been read.
    case begun(String)
    /// Its response has been written whole, be it one that is wrong on purpose.
    case answered(String)
    /// The client has closed its connection before the end of its response, and the answer is cancelled.
    case dropped(String)
  }

  /// What a client asks for.
  public struct Request: Sendable {
    /// The path, still with its escapes.
    public let path: String
    /// What stands behind the path's question mark.
    public let query: [String: String]
    /// The last component of the path.
    public let name: String

    init?(target: Substring) {
      guard let components = URLComponents(string: String(target)) else { return nil }
      path = components.percentEncodedPath
      let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      guard let name = last.removingPercentEncoding else { return nil }
      self.name = name
      query = (components.queryItems ?? []).reduce(into: [:]) { $0[$1.name] = $1.value ?? "" }
    }
  }

  /// What a client gets.
  public struct Response: Sendable {
    enum Body {
      case whole(Data)
      /// Fewer bytes than the head promises; then the connection closes.
      case short(Data, promised: Int)
      /// Chunks, each of these bytes, with a pause behind each, until the client closes.
      case endless(Data, pause: Duration)
    }

    let status: Int
    let fields: [String: String]
    let body: Body?

    /// A right response.
    ///
    /// - Parameters:
    ///   - status: Its status, such as 200.
    ///   - fields: Fields of its head, besides those for its length and its connection.
    ///   - body: Its bytes.
    public static func status(
      _ status: Int, _ fields: [String: String] = [:], body: Data = Data()
    ) -> Response {
      Response(status: status, fields: fields, body: .whole(body))
    }

    /// A response that ends before its end: the connection closes with bytes to come.
    ///
    /// - Parameters:
    ///   - body: The bytes that come.
    ///   - promised: How many its head promises; more than come.
    public static func short(_ body: Data, promised: Int) -> Response {
      precondition(promised > body.count, "a short response promises more than it has")
      return Response(status: 200, fields: [:], body: .short(body, promised: promised))
    }

    /// A response without an end: chunk after chunk, as long as the client reads.
    ///
    /// - Parameters:
    ///   - chunk: The bytes of each chunk; one or more.
    ///   - pause: How long to wait at least behind each chunk, in whole milliseconds. A client that always finds bytes
    ///     to read may come to nothing else.
    public static func endless(_ chunk: Data, pause: Duration) -> Response {
      precondition(!chunk.isEmpty, "an empty chunk is the last one")
      return Response(status: 200, fields: [:], body: .endless(chunk, pause: pause))
    }

    /// None: the connection closes.
    public static let cut = Response(status: 0, fields: [:], body: nil)
  }

  private let loop: HTTPServerLoop

  /// Serves on a free port of 127.0.0.1 while a body runs. Then its connections close, answers still awaited are
  /// cancelled, and its thread and descriptors are gone; an answer that ignores cancellation is not waited for.
  ///
  /// - Parameters:
  ///   - answer: The response to a request. It runs in a task of its own, which is cancelled when the client goes.
  ///   - body: What uses the server.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or a `POSIXError` where the system has no port, descriptor or thread left.
  nonisolated(nonsending) public static func run<R: Sendable>(
    _ answer: @escaping @Sendable (Request) async -> Response,
    during body: (HTTPServer) async throws -> R
  ) async throws -> R {
    let loop = try HTTPServerLoop(answer)
    let thread = try loop.begin()
    let result: Result<R, any Error>
    do {
      result = .success(try await body(HTTPServer(loop: loop)))
    } catch {
      result = .failure(error)
    }
    await loop.end(thread)
    return try result.get()
  }

  /// The timeout for requests of the server's own process, in seconds: on a busy machine the server is silent for as long
  /// as its answer has to wait for a thread of the pool.
  public static let patience: TimeInterval = 3_600

  /// The port of 127.0.0.1 that the server listens at.
  public var port: Int { loop.port }

  /// Where something is.
  ///
  /// - Parameter name: A name; any text but `.` and `..`, which a client takes for folders.
  public func url(of name: String) -> URL {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/;"))
    let path = name.addingPercentEncoding(withAllowedCharacters: allowed)!
    return URL(string: "http://127.0.0.1:\(port)/\(path)")!
  }

  /// What has happened so far, in its order. A client that has its whole response finds it here.
  public var log: [Event] { loop.log.events }

  /// Waits until something has happened; returns early when the task is cancelled or the server has ended.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - times: How often it has to have happened in all; one or more.
  public func waitUntil(_ event: Event, times: Int = 1) async {
    await loop.log.waitUntil(event, times: times)
  }
}
