import Foundation

extension Async {
  /// Connects to a port.
  ///
  /// - Throws: ``DescriptorError``; `CancellationError`; nothing is open then.
  static func connect(to port: UInt16) async throws -> Connection {
    let connection = try Async.connection(of: Loopback.connection(to: port))
    try await connection.isConnected()
    return connection
  }

  /// Sends a message to a server, and takes as many bytes as its answer.
  ///
  /// - Throws: What the connection throws; ``UnfinishedAnswer``.
  static func echo(
    of message: [UInt8], over connection: Connection
  ) async throws -> [UInt8] {
    // At the same time: a server that cannot send stops reading.
    async let isSent: Void = connection.write(message)
    let answer = try await connection.readAll(message.count)
    guard answer.count == message.count else { throw UnfinishedAnswer() }
    try await isSent
    return answer
  }
}
