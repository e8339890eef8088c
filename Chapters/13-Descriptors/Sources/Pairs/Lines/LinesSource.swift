import Dispatch

extension Sourced {
  /// Reads the lines of a pipe or a socket.
  ///
  /// - Parameters:
  ///   - limit: The longest line, in bytes.
  ///   - whenOver: Called once, as a connection's, or with ``LineSplitter/LineTooLong``.
  /// - Returns: What its caller may cancel, and keeps.
  /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
  static func lines(
    taking descriptor: Int32, limit: Int = 65_536, queue: DispatchQueue,
    whenLine: @escaping @Sendable (String) -> Void,
    whenOver: @escaping @Sendable ((any Error)?) -> Void
  ) throws(DescriptorError) -> Connection {
    let splitter = Confined(LineSplitter(limit: limit))
    return try Connection(
      taking: descriptor, for: .reading, queue: queue,
      whenRead: { connection, piece in
        do {
          splitter.value.append(piece)
          while let line = try splitter.value.next() { whenLine(line) }
        } catch { connection.end(with: error) }
      },
      whenOver: { error in
        if error == nil, let last = splitter.value.finish() { whenLine(last) }
        whenOver(error)
      })
  }
}
