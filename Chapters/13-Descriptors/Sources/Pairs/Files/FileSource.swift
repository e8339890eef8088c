import Foundation

extension Sourced {
  /// Reads a file to its end.
  ///
  /// - Parameter whenOver: Called once on the queue, after the file is closed, as a connection's.
  /// - Returns: What its caller may cancel, and keeps.
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func read(
    fileAt path: String, queue: DispatchQueue, whenRead: @escaping @Sendable ([UInt8]) -> Void,
    whenOver: @escaping @Sendable ((any Error)?) -> Void
  ) throws(DescriptorError) -> Connection {
    try Connection(
      taking: openFile(path, O_RDONLY), for: .reading, queue: queue,
      whenRead: { _, bytes in whenRead(bytes) }, whenOver: whenOver)
  }

  /// Writes a file as fast as it takes bytes.
  ///
  /// - Parameters:
  ///   - flags: What is done when it is opened, such as O_CREAT.
  ///   - whenOver: Called once on the queue, after the file is closed, with `nil` when all is written, and with
  ///     ``DescriptorError`` if it failed.
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func write(
    _ bytes: [UInt8], to path: String, _ flags: Int32, queue: DispatchQueue,
    whenOver: @escaping @Sendable ((any Error)?) -> Void
  ) throws(DescriptorError) {
    let descriptor = try OwnedDescriptor(taking: openFile(path, O_WRONLY | flags), for: .writing)
    let (ending, rest) = (Ending(), Confined(bytes[...]))
    // Sendable: sources may be used on any thread.
    nonisolated(unsafe) let source = DispatchSource.makeWriteSource(
      fileDescriptor: descriptor.number, queue: queue)
    let writeSome: @Sendable () -> Void = {
      do {
        while !rest.value.isEmpty, !source.isCancelled {
          guard let count = try descriptor.write(rest.value) else { return }
          rest.value = rest.value.dropFirst(count)
        }
        // Otherwise the source would fire on: a file always takes bytes.
        ending.end(with: nil)
      } catch { ending.end(with: error) }
      source.cancel()
    }
    source.setEventHandler { writeSome() }
    source.setCancelHandler {
      descriptor.closeOnce()
      whenOver(ending.error)
    }
    source.activate()
    // Dispatch on Linux stays silent of what epoll does not take, such as a device.
    queue.async { writeSome() }
  }
}
