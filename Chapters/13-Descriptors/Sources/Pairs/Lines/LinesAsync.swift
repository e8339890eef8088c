import Synchronization

extension Async {
  /// The lines of a connection. A cancelled reader loses nothing: the next one goes on in the middle of a line.
  final class Lines: AsyncSequence, Sendable {
    private let connection: Connection
    private let splitter: Mutex<LineSplitter>

    /// - Parameter limit: The longest line, in bytes.
    init(of connection: Connection, limit: Int = 65_536) {
      self.connection = connection
      splitter = Mutex(LineSplitter(limit: limit))
    }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let lines: Lines

      /// - Throws: What a connection throws, and ``LineSplitter/LineTooLong``.
      func next(isolation: isolated (any Actor)?) async throws(any Error) -> String? {
        // Lines that are there already would not ask.
        try Task.checkCancellation()
        while true {
          if let line = try lines.splitter.withLock({ try $0.next() }) { return line }
          let piece = try await lines.connection.read()
          guard !piece.isEmpty else { return lines.splitter.withLock { $0.finish() } }
          lines.splitter.withLock { $0.append(piece) }
        }
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(lines: self) }
  }
}
