public import Foundation

/// Photos over HTTP from this process to itself: a server on the loopback interface, for as long as a body runs.
///
/// ```swift
/// let gate = Gate()
/// try await PhotoServer.run { name in
///   await gate.wait()  // the answer is held back
///   return Data(name.utf8)
/// } during: { server in
///   let loading = Task { try await URLSession.shared.data(from: server.url(of: "harbour")) }
///   await server.waitUntil(.begun("harbour"))
///   loading.cancel()
///   await server.waitUntil(.dropped("harbour"))  // the server knows, while the gate is closed
///   gate.open()
/// }
/// ```
///
/// Each request has a connection of its own. A `URLSession` opens `httpMaximumConnectionsPerHost` at once, six
/// unless you say otherwise, and further requests do not begin.
public struct PhotoServer: Sendable {
  /// What the server has seen or done, with the name of the photo; a response that says 404 is answered, too.
  public typealias Event = HTTPServer.Event

  private let server: HTTPServer

  /// Serves on a free port of 127.0.0.1 while a body runs. Then its connections close, answers still awaited are
  /// cancelled, and its thread and descriptors are gone; an answer that ignores cancellation is not waited for.
  ///
  /// - Parameters:
  ///   - answer: The bytes for a name, which is the last component of a path; any error is a 404 without bytes.
  ///     It runs in a task of its own.
  ///   - body: What uses the server.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or a `POSIXError` where the system has no port, descriptor or thread left.
  nonisolated(nonsending) public static func run<R: Sendable>(
    _ answer: @escaping @Sendable (String) async throws -> Data,
    during body: (PhotoServer) async throws -> R
  ) async throws -> R {
    try await HTTPServer.run { request in
      do { return .status(200, body: try await answer(request.name)) } catch { return .status(404) }
    } during: { server in
      try await body(PhotoServer(server: server))
    }
  }

  /// The port of 127.0.0.1 that the server listens at.
  public var port: Int { server.port }

  /// Where a photo is.
  ///
  /// - Parameter name: Its name; any text but `.` and `..`, which a client takes for folders.
  public func url(of name: String) -> URL { server.url(of: name) }

  /// What has happened so far, in its order. A client that has its whole response finds it here.
  public var log: [Event] { server.log }

  /// Waits until something has happened; returns early when the task is cancelled or the server has ended.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - times: How often it has to have happened in all; one or more.
  public func waitUntil(_ event: Event, times: Int = 1) async {
    await server.waitUntil(event, times: times)
  }
}
