import Foundation

extension ClosedEarly {
  /// Takes over a descriptor that does not block, and reads it.
  ///
  /// - Returns: What cancels that, and closes the descriptor at once. The handler may be about to read, and the number
  ///   may have a new owner by then.
  static func read(
    taking descriptor: Int32, queue: DispatchQueue, whenRead: @escaping @Sendable ([UInt8]) -> Void
  ) -> @Sendable () -> Void {
    // Sendable: sources may be used on any thread.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      while case .bytes(let bytes) = try? nextChunk(of: descriptor) { whenRead(bytes) }
    }
    source.activate()
    return {
      close(descriptor)
      source.cancel()
    }
  }
}
