import Dispatch
import Synchronization

extension Sourced {
  /// Reads the lines of a pipe or a socket.
  final class Lines: Sendable {
    private let connection: Connection

    /// Takes over a descriptor and begins to read.
    ///
    /// - Parameters:
    ///   - limit: The longest line, in bytes.
    ///   - queue: A serial queue.
    ///   - whenOver: Called once, as a connection's, or with ``LineSplitter/LineTooLong``.
    /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
    init(
      taking descriptor: Int32, limit: Int = 65_536, queue: DispatchQueue,
      whenLine: @escaping @Sendable (String) -> Void,
      whenOver: @escaping @Sendable ((any Error)?) -> Void
    ) throws(DescriptorError) {
      let splitting = Splitting(limit: limit)
      connection = try Connection(
        taking: descriptor, for: .reading, queue: queue,
        whenRead: { connection, piece in
          do { try splitting.append(piece, whenLine) } catch { connection.end(with: error) }
        },
        whenOver: { error in
          if error == nil, let last = splitting.finish() { whenLine(last) }
          whenOver(error)
        })
    }

    /// Stops, from any thread.
    func cancel() { connection.cancel() }
  }
}

/// What is left of the pieces.
// Sendable because it is used on one serial queue only.
private final class Splitting: @unchecked Sendable {
  private var splitter: LineSplitter

  init(limit: Int) { splitter = LineSplitter(limit: limit) }

  func append(_ piece: [UInt8], _ whenLine: (String) -> Void) throws {
    splitter.append(piece)
    while let line = try splitter.next() { whenLine(line) }
  }

  func finish() -> String? { splitter.finish() }
}
