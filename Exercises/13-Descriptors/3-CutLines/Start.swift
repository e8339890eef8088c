extension Lines {
  // region state
  // endregion

  // region init
  /// - Parameter limit: How many bytes a line may have, without its end.
  init(of bytes: Bytes, limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }
  // endregion

  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines
    fileprivate var text = ""

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      // TODO: Give each line whole, wherever its pieces are cut and whoever has read them.
      while true {
        let piece = try await lines.bytes.read()
        guard !piece.isEmpty else { return nil }
        text += String(decoding: piece, as: UTF8.self)
        guard let end = text.firstIndex(of: "\n") else { continue }
        defer { text = String(text[text.index(after: end)...]) }
        return String(text[..<end])
      }
    }
  }
  // endregion

  // region taking
  // endregion
}
