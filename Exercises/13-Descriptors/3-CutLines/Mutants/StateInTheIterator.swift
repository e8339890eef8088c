// Looks right: the beginning of a line is kept until the rest comes. Wrong: the iterator keeps it, which goes with its
// loop, so the next loop begins in the middle of a line.

extension Lines {
  // region state
  // endregion

  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines
    fileprivate var rest: [UInt8] = []

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        if let line = try takeLine() { return line }
        let piece = try await lines.bytes.read()
        guard !piece.isEmpty else {
          defer { rest = [] }
          return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
        }
        rest += piece
      }
    }

    /// The next line that has ended, if there is one.
    private mutating func takeLine() throws -> String? {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      guard (end ?? rest.count) <= lines.limit else { throw LineTooLong() }
      guard let end else { return nil }
      defer { rest.removeFirst(end + 1) }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
  }
  // endregion

  // region taking
  // endregion
}
