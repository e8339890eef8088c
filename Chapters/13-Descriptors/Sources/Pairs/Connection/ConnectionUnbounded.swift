import Foundation

extension Unbounded {
  /// The bytes of a pipe or a socket, as fast as the other side sends them. Those that nobody has asked for wait in memory.
  ///
  /// - Parameters:
  ///   - descriptor: One that does not block; it is closed when the stream ends.
  ///   - whenOver: Called once, after it is closed.
  static func bytes(
    taking descriptor: Int32, whenOver: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "bytes"))
      source.setEventHandler {
        while let chunk = try? nextChunk(of: descriptor) {
          guard case .bytes(let bytes) = chunk else { return continuation.finish() }
          continuation.yield(bytes)
        }
      }
      source.setCancelHandler {
        close(descriptor)
        whenOver()
      }
      // Sendable: sources may be used on any thread.
      nonisolated(unsafe) let ended = source
      continuation.onTermination = { _ in ended.cancel() }
      source.activate()
    }
  }
}
