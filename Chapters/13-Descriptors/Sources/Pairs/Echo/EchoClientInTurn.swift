import Foundation

extension InTurn {
  /// Sends a message and takes as many bytes as its answer, over a socket that blocks.
  ///
  /// - Returns: The answer; shorter if the other side has left.
  static func exchange(_ message: [UInt8], over descriptor: Int32) -> [UInt8] {
    var sent = 0
    while sent < message.count {
      let count = message[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return [] }
      sent += count
    }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while answer.count < message.count {
      let count = recv(descriptor, &piece, min(piece.count, message.count - answer.count), 0)
      guard count > 0 else { break }
      answer += piece.prefix(count)
    }
    return answer
  }
}

extension InTurn {
  /// The same over a connection that tasks use.
  static func exchange(
    _ message: [UInt8], over connection: Async.Connection
  ) async throws -> [UInt8] {
    try await connection.write(message)
    var answer: [UInt8] = []
    while answer.count < message.count {
      let piece = try await connection.read(upTo: message.count - answer.count)
      if piece.isEmpty { break }
      answer += piece
    }
    return answer
  }
}
