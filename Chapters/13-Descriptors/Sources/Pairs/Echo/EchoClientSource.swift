import Foundation

extension Sourced {
  /// Sends a message to a server, and takes as many bytes as its answer, over a socket that is connected.
  ///
  /// - Parameters:
  ///   - queue: A serial queue; call it there.
  ///   - whenOver: Called once on the queue, after the socket is closed.
  /// - Returns: What its caller may cancel, and keeps.
  /// - Throws: ``DescriptorError``; the socket is the caller's then.
  static func echo(
    of message: [UInt8], over number: Int32, queue: DispatchQueue,
    whenOver: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
  ) throws(DescriptorError) -> Connection {
    let answer = Confined<[UInt8]>([])
    let connection = try Connection(
      taking: number, queue: queue,
      whenRead: { connection, piece in
        answer.value += piece
        if answer.value.count >= message.count { connection.finish() }
      },
      whenOver: { error in
        if let error { return whenOver(.failure(error)) }
        let isWhole = answer.value.count == message.count
        whenOver(isWhole ? .success(answer.value) : .failure(UnfinishedAnswer()))
      })
    connection.write(message)
    if message.isEmpty { connection.finish() }
    return connection
  }
}
