import Foundation

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
  /// What the server has seen or done, with the name of the photo.
  public enum Event: Hashable, Sendable {
    /// A request for this name has been read.
    case begun(String)
    /// Its response has been written whole; one that says 404 counts, too.
    case answered(String)
    /// The client has closed its connection before its response, and the answer is cancelled.
    case dropped(String)
  }

  private let loop: PhotoServerLoop

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
    let loop = try PhotoServerLoop(answer)
    let thread = try loop.begin()
    let result: Result<R, any Error>
    do {
      result = .success(try await body(PhotoServer(loop: loop)))
    } catch {
      result = .failure(error)
    }
    await loop.end(thread)
    return try result.get()
  }

  /// The port of 127.0.0.1 that the server listens at.
  public var port: Int { loop.port }

  /// Where a photo is.
  ///
  /// - Parameter name: Its name; any text but `.` and `..`, which a client takes for folders.
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
