import Foundation

extension Async {
  /// Takes connections, one at a time.
  final class Listener: Sendable {
    private let listener: OwnedDescriptor
    private let readiness: Readiness<Int32>

    /// Takes over a socket that listens.
    ///
    /// - Parameter whenClosed: Called once, after it is closed.
    /// - Throws: ``DescriptorError``; the socket is the caller's then.
    init(
      taking number: Int32, whenClosed: @escaping @Sendable () -> Void = {}
    ) throws(DescriptorError) {
      listener = try OwnedDescriptor(taking: number)
      readiness = Readiness(of: listener, whenClosed: whenClosed)
    }

    /// Waits for a connection; `nil` when it is closed.
    ///
    /// - Throws: ``DescriptorError``; `CancellationError`.
    func accept() async throws -> Connection? {
      let number = try await readiness.perform { [listener] in
        try listener.use(Loopback.accept) ?? nil
      }
      guard let number else { return nil }
      return try Async.connection(of: number)
    }

    /// Takes no more connections.
    func close() { readiness.end() }
  }

  /// Makes a connection of a socket, and closes that if it is refused.
  static func connection(of socket: Int32) throws(DescriptorError) -> Connection {
    try handOver(socket) { (number) throws(DescriptorError) in try Connection(taking: number) }
  }

  /// Sends back what it is sent, to so many clients at a time, until its task is cancelled or the listener closed.
  static func serveEcho(at listener: Listener, limit: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { clients in
      for count in 0... {
        // Others wait in the kernel. What a client breaks is its own.
        if count >= limit { _ = await clients.nextResult() }
        guard let connection = try await listener.accept() else { break }
        clients.addTask { try await echo(connection) }
      }
    }
  }

  /// Sends back what comes, to the end, and closes the connection.
  static func echo(_ connection: Connection) async throws {
    defer { connection.close() }
    for try await piece in connection { try await connection.write(piece) }
  }
}
