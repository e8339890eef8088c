import Foundation

extension Sourced {
  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - queue: A serial queue.
  ///   - whenOver: Called once on the queue, after the file is closed, as a connection's.
  /// - Returns: What its caller may cancel, and keeps.
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func read(
    fileAt path: String, queue: DispatchQueue, whenRead: @escaping @Sendable ([UInt8]) -> Void,
    whenOver: @escaping @Sendable ((any Error)?) -> Void
  ) throws(DescriptorError) -> Connection {
    try handOver(openFile(path, O_RDONLY)) { (descriptor) throws(DescriptorError) in
      try Connection(
        taking: descriptor, for: .reading, queue: queue, whenRead: { _, bytes in whenRead(bytes) },
        whenOver: whenOver)
    }
  }

  /// Writes a file as fast as it takes bytes.
  // Sendable because what changes is used on the queue alone.
  final class FileWriter: @unchecked Sendable {
    private let descriptor: OwnedDescriptor
    private let source: any DispatchSourceWrite
    private let ending = Ending()
    private var rest: ArraySlice<UInt8>

    /// Creates a file, or empties it, and begins to write.
    ///
    /// - Parameters:
    ///   - queue: A serial queue.
    ///   - whenOver: Called once on the queue, after the file is closed, with `nil` when all is written,
    ///     `CancellationError` if it was cancelled before, and ``DescriptorError`` if it failed.
    /// - Throws: ``DescriptorError``; nothing is open then.
    static func write(
      _ bytes: [UInt8], to path: String, queue: DispatchQueue,
      whenOver: @escaping @Sendable ((any Error)?) -> Void
    ) throws(DescriptorError) -> FileWriter {
      try handOver(openFile(path, O_WRONLY | O_CREAT | O_TRUNC)) {
        (number) throws(DescriptorError) in
        try FileWriter(writing: bytes, taking: number, queue: queue, whenOver: whenOver)
      }
    }

    /// Takes over what is open, and begins to write. The parameters are those of the other.
    ///
    /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
    init(
      writing bytes: [UInt8], taking number: Int32, queue: DispatchQueue,
      whenOver: @escaping @Sendable ((any Error)?) -> Void
    ) throws(DescriptorError) {
      descriptor = try OwnedDescriptor(taking: number, for: .writing)
      rest = bytes[...]
      source = DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
      source.setEventHandler { [weak self] in self?.writeSome() }
      source.setCancelHandler { [descriptor, ending] in
        descriptor.closeOnce()
        whenOver(ending.error)
      }
      source.activate()
      // Dispatch on Linux stays silent of what epoll does not take, such as a device.
      queue.async { [weak self] in self?.writeSome() }
    }

    deinit { cancel() }

    /// Stops, from any thread. What is written stays.
    func cancel() { end(with: CancellationError()) }

    private func writeSome() {
      do {
        while !rest.isEmpty, !source.isCancelled {
          guard let count = try descriptor.write(rest) else { return }
          rest = rest.dropFirst(count)
        }
        // Otherwise the source would fire on: a file always takes bytes.
        end(with: nil)
      } catch { end(with: error) }
    }

    private func end(with error: (any Error)?) {
      ending.end(with: error)
      source.cancel()
    }
  }
}
