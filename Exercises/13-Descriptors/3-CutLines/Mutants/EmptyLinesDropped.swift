// Looks right: nothing is between two ends of lines, so there is nothing to give. Wrong: an empty line is a line.

extension Lines {
  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        while let line = try lines.takeLine() {
          if !line.isEmpty { return line }
        }
        let piece = try await lines.bytes.read()
        guard !piece.isEmpty else { return lines.takeRest() }
        lines.rest.withLock { $0 += piece }
      }
    }
  }
  // endregion
}
