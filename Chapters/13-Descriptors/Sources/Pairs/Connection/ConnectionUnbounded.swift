import Dispatch

extension Unbounded {
  /// The bytes of a pipe or a socket, as fast as the other side sends them. A slow reader has them wait in memory.
  ///
  /// - Parameter whenOver: Called once, after the descriptor is closed.
  /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
  static func bytes(
    taking descriptor: Int32, whenOver: @escaping @Sendable () -> Void = {}
  ) throws -> AsyncThrowingStream<[UInt8], any Error> {
    let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    let connection = try Sourced.Connection(
      taking: descriptor, for: .reading, queue: DispatchQueue(label: "bytes"),
      whenRead: { continuation.yield($1) },
      whenOver: {
        continuation.finish(throwing: $0)
        whenOver()
      })
    continuation.onTermination = { _ in connection.cancel() }
    return stream
  }
}
