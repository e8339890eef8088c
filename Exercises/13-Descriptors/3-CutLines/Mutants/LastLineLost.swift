// Looks right: when nothing more comes, the sequence ends. Wrong: the bytes that have come without an
// end are a line, too.

extension Lines {
  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        if let line = try lines.takeLine() { return line }
        let piece = try await lines.bytes.read()
        guard !piece.isEmpty else { return nil }
        lines.rest.withLock { $0 += piece }
      }
    }
  }
  // endregion
}
