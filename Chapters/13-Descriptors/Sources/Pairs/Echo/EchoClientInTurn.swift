extension InTurn {
  /// Sends a message and then takes as many bytes as its answer, over a socket that blocks.
  ///
  /// - Returns: The answer; shorter if the other side has left.
  static func echo(of message: [UInt8], over descriptor: Int32) -> [UInt8] {
    sendAll(message, over: descriptor)
    return receiveAll(message.count, over: descriptor)
  }

  /// The same over a connection of tasks.
  static func echo(
    of message: [UInt8], over connection: Async.Connection
  ) async throws -> [UInt8] {
    try await connection.write(message)
    return try await connection.readAll(message.count)
  }
}
