import Foundation

extension Sourced {
  /// Begins to connect to a port.
  ///
  /// - Parameters:
  ///   - queue: A serial queue.
  ///   - whenOver: Called once on the queue with the connected socket, which is the receiver's then; with
  ///     ``DescriptorError``, or with `CancellationError` if it was stopped before.
  /// - Returns: What stops it, from any thread.
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func connect(
    to port: UInt16, queue: DispatchQueue,
    whenOver: @escaping @Sendable (Result<Int32, any Error>) -> Void
  ) throws(DescriptorError) -> @Sendable () -> Void {
    let number = try Loopback.connection(to: port)
    let result = Confined(Result<Int32, any Error>.failure(CancellationError()))
    // Sendable: sources may be used on any thread.
    nonisolated(unsafe) let source = DispatchSource.makeWriteSource(
      fileDescriptor: number, queue: queue)
    source.setEventHandler {
      do {
        guard try Loopback.isConnected(number) else { return }
        result.value = .success(number)
      } catch { result.value = .failure(error) }
      source.cancel()
    }
    source.setCancelHandler {
      if case .failure = result.value { close(number) }
      whenOver(result.value)
    }
    source.activate()
    return { source.cancel() }
  }

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
