// Looks right: a reader that was cancelled goes on no more. Wrong: it has taken a piece by then, which nobody else gets.

extension Lines {
  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        if let line = try lines.takeLine() { return line }
        let piece = try await lines.bytes.read()
        try Task.checkCancellation()
        guard !piece.isEmpty else { return lines.takeRest() }
        lines.rest.withLock { $0 += piece }
      }
    }
  }
  // endregion
}
