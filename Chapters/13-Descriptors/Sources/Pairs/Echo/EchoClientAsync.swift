import Foundation

extension Async {
  /// Connects to a port.
  ///
  /// - Throws: ``DescriptorError``; `CancellationError`; nothing is open then.
  static func connect(to port: UInt16) async throws -> Connection {
    let connection = try handOver(Loopback.connection(to: port)) {
      (number) throws(DescriptorError) in
      try Connection(taking: number)
    }
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
    var answer: [UInt8] = []
    while answer.count < message.count {
      let piece = try await connection.read(upTo: message.count - answer.count)
      guard !piece.isEmpty else { throw UnfinishedAnswer() }
      answer += piece
    }
    try await isSent
    return answer
  }
}
