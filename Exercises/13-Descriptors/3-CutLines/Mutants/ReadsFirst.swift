// Looks right: each call reads a piece, and looks for the end of a line then. Wrong: the second line of a piece waits for
// the next piece.

extension Lines {
  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        let piece = try await lines.bytes.read()
        guard !piece.isEmpty else { return try lines.takeLine() ?? lines.takeRest() }
        lines.rest.withLock { $0 += piece }
        if let line = try lines.takeLine() { return line }
      }
    }
  }
  // endregion
}
