import Foundation

extension Async {
  /// Makes a connection of a socket, and closes that if it is refused.
  static func connection(of socket: Int32) throws(DescriptorError) -> Connection {
    try handOver(socket) { (number) throws(DescriptorError) in try Connection(taking: number) }
  }

  /// Takes over a socket that listens, and sends back what it is sent, to so many clients at a time, until its task is
  /// cancelled.
  ///
  /// - Throws: ``DescriptorError``; `CancellationError`. The socket is closed then, but for one that was refused.
  static func serveEcho(at number: Int32, limit: Int) async throws {
    let listener = try OwnedDescriptor(taking: number)
    let readiness = Readiness<Int32>(of: listener) {}
    defer { readiness.end() }
    try await withThrowingTaskGroup(of: Void.self) { clients in
      for count in 0... {
        // Others wait in the kernel. What a client breaks is its own.
        if count >= limit { _ = await clients.nextResult() }
        let client = try await readiness.perform { try listener.use(Loopback.accept) ?? nil }
        guard let client else { return }
        let connection = try Async.connection(of: client)
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
