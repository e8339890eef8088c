// Looks right: a line that is too long throws. Wrong: one whose end never comes is kept and kept, and never throws.

extension Lines {
  // region taking
  /// The next line that has ended, if there is one.
  private func takeLine() throws -> String? {
    try rest.withLock { rest in
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      guard end <= limit else { throw LineTooLong() }
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
