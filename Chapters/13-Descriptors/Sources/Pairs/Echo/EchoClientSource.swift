import Foundation

extension Sourced {
  /// Connects to a port.
  // Sendable because what changes is used on the queue alone.
  final class Connecting: @unchecked Sendable {
    private let number: Int32
    private let source: any DispatchSourceWrite
    private var result: Result<Int32, any Error> = .failure(CancellationError())

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - queue: A serial queue.
    ///   - whenOver: Called once on the queue with the connected socket, which is the receiver's then; with
    ///     ``DescriptorError``, or with `CancellationError` if it was cancelled before.
    /// - Throws: ``DescriptorError``; nothing is open then.
    init(
      to port: UInt16, queue: DispatchQueue,
      whenOver: @escaping @Sendable (Result<Int32, any Error>) -> Void
    ) throws(DescriptorError) {
      number = try Loopback.connection(to: port)
      source = DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
      // The handlers keep it until it is over.
      source.setEventHandler { [self] in look() }
      source.setCancelHandler { [self] in
        if case .failure = result { close(number) }
        whenOver(result)
      }
      source.activate()
    }

    /// Stops, from any thread.
    func cancel() { source.cancel() }

    private func look() {
      do {
        guard try Loopback.isConnected(number) else { return }
        result = .success(number)
      } catch { result = .failure(error) }
      source.cancel()
    }
  }

  /// Sends a message to a server, and takes as many bytes as its answer.
  // Sendable because what changes is used on the queue alone.
  final class EchoClient: @unchecked Sendable {
    private let message: [UInt8]
    private var answer: [UInt8] = []

    private init(_ message: [UInt8]) { self.message = message }

    /// Begins to talk over a socket that is connected.
    ///
    /// - Parameters:
    ///   - queue: A serial queue; call it there.
    ///   - whenOver: Called once on the queue, after the socket is closed.
    /// - Returns: What its caller may cancel, and keeps.
    /// - Throws: ``DescriptorError``; the socket is the caller's then.
    static func send(
      _ message: [UInt8], over number: Int32, queue: DispatchQueue,
      whenOver: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
    ) throws(DescriptorError) -> Connection {
      let client = EchoClient(message)
      let connection = try Connection(
        taking: number, queue: queue, whenRead: { client.add($1, from: $0) },
        whenOver: { error in whenOver(client.result(error)) })
      connection.write(message)
      if message.isEmpty { connection.finish() }
      return connection
    }

    private func add(_ piece: [UInt8], from connection: Connection) {
      answer += piece
      if answer.count >= message.count { connection.finish() }
    }

    private func result(_ error: (any Error)?) -> Result<[UInt8], any Error> {
      if let error { return .failure(error) }
      guard answer.count == message.count else { return .failure(UnfinishedAnswer()) }
      return .success(answer)
    }
  }
}
