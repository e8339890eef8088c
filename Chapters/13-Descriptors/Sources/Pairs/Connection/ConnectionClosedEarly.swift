import Foundation

extension ClosedEarly {
  /// Closes its descriptor at once. The handler may be about to read, and the number may have a new owner by then.
  // Sendable because Dispatch's sources may be used on any thread.
  final class Connection: @unchecked Sendable {
    private let source: any DispatchSourceRead
    private let descriptor: Int32

    /// Takes over a descriptor that does not block.
    init(
      taking descriptor: Int32, queue: DispatchQueue,
      whenRead: @escaping @Sendable ([UInt8]) -> Void
    ) {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      self.source = source
      self.descriptor = descriptor
      source.setEventHandler {
        while case .bytes(let bytes) = try? nextChunk(of: descriptor) { whenRead(bytes) }
      }
      source.activate()
    }

    func cancel() {
      close(descriptor)
      source.cancel()
    }
  }
}
