// Looks right: one task reads for all loops, and a stream keeps the lines. Wrong: a stream whose reader is cancelled has
// ended, also for the next reader.

extension Lines {
  // region state
  private let stream: AsyncThrowingStream<String, any Error>
  // endregion

  // region init
  /// - Parameter limit: How many bytes a line may have, without its end.
  init(of bytes: Bytes, limit: Int) {
    self.bytes = bytes
    self.limit = limit
    let (stream, lines) = AsyncThrowingStream.makeStream(of: String.self)
    self.stream = stream
    Task {
      var rest: [UInt8] = []
      do {
        while case let piece = try await bytes.read(), !piece.isEmpty {
          rest += piece
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")), end <= limit {
            lines.yield(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeFirst(end + 1)
          }
          if rest.count > limit { throw LineTooLong() }
        }
        if !rest.isEmpty { lines.yield(String(decoding: rest, as: UTF8.self)) }
        lines.finish()
      } catch {
        lines.finish(throwing: error)
      }
    }
  }
  // endregion

  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    private var lines: AsyncThrowingStream<String, any Error>.Iterator

    fileprivate init(lines: Lines) { self.lines = lines.stream.makeAsyncIterator() }

    /// The next line; nil at the end.
    mutating func next() async throws -> String? { try await lines.next() }
  }
  // endregion

  // region taking
  // endregion
}
