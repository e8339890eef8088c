// Looks right: the sequence keeps the text that has come, and gives it line by line. Wrong: each piece is made a string of
// its own, so a character that is cut is replaced twice.

extension Lines {
  // region state
  private let rest = Mutex<String>("")
  // endregion

  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        if let line = try lines.takeLine() { return line }
        let piece = try await lines.bytes.read()
        guard !piece.isEmpty else { return lines.takeRest() }
        lines.rest.withLock { $0 += String(decoding: piece, as: UTF8.self) }
      }
    }
  }
  // endregion

  // region taking
  /// The next line that has ended, if there is one.
  private func takeLine() throws -> String? {
    try rest.withLock { rest in
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n"))
      guard rest.utf8[..<(end ?? rest.endIndex)].count <= limit else { throw LineTooLong() }
      guard let end else { return nil }
      let line = String(rest[..<end])
      rest = String(rest[rest.utf8.index(after: end)...])
      return line
    }
  }

  /// The last line, if it has no end.
  private func takeRest() -> String? {
    rest.withLock { rest in
      defer { rest = "" }
      return rest.isEmpty ? nil : rest
    }
  }
  // endregion
}
