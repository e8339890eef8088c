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
public enum PhotoServer {
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
    during body: (HTTPServer) async throws -> R
  ) async throws -> R {
    try await HTTPServer.run(
      { request in
        do { return .status(200, body: try await answer(request.name)) } catch {
          return .status(404)
        }
      }, during: body)
  }
}
