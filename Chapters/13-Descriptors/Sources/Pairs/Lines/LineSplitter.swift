/// Makes lines of bytes that come in pieces, with cuts anywhere.
struct LineSplitter: Sendable {
  /// A line is longer than allowed.
  struct LineTooLong: Error, Equatable { let limit: Int }

  /// The longest line, in bytes.
  let limit: Int
  private var bytes: [UInt8] = []
  /// Where the next line begins, and up to where no end of it was found.
  private var start = 0
  private var searched = 0

  init(limit: Int) {
    precondition(limit > 0, "a line may have one byte at least")
    self.limit = limit
  }

  mutating func append(_ piece: [UInt8]) {
    bytes.removeFirst(start)
    (start, searched) = (0, searched - start)
    bytes += piece
  }

  /// The next line that has ended, without its end. What is no UTF-8 is replaced, as String does.
  ///
  /// - Throws: ``LineTooLong``, also of a line that has not ended.
  mutating func next() throws(LineTooLong) -> String? {
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    searched = end ?? bytes.count
    guard searched - start <= limit else { throw LineTooLong(limit: limit) }
    guard let end else { return nil }
    defer { (start, searched) = (end + 1, end + 1) }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The last line, if it has no end.
  mutating func finish() -> String? {
    defer { self = LineSplitter(limit: limit) }
    return start == bytes.count ? nil : String(decoding: bytes[start...], as: UTF8.self)
  }
}
