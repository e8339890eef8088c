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
}
