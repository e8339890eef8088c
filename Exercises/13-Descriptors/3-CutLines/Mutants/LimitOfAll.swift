// Looks right: no more bytes are kept than a line may have. Wrong: several short lines that come in one piece are no line
// that is too long.

extension Lines {
  // region taking
  /// The next line that has ended, if there is one.
  private func takeLine() throws -> String? {
    try rest.withLock { rest in
      guard rest.count <= limit else { throw LineTooLong() }
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest.removeFirst(end + 1) }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
  }

  /// The last line, if it has no end.
  private func takeRest() -> String? {
    rest.withLock { rest in
      defer { rest = [] }
      return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
  }
  // endregion
}
