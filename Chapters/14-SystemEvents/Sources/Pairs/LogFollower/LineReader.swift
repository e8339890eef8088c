/// Makes lines of bytes that come in pieces, with cuts anywhere.
struct LineReader: Sendable {
  /// The longest line, in bytes.
  let limit: Int
  /// The beginning of a line whose end has not come.
  private var rest: [UInt8] = []
  private var isDropping = false

  init(limit: Int) {
    precondition(limit > 0, "a line may have one byte at least")
    self.limit = limit
  }

  /// Takes bytes, and gives the lines that they end. What is no UTF-8 is replaced, as String does.
  mutating func append(_ bytes: [UInt8]) -> [LogEvent] {
    var events: [LogEvent] = []
    var left = bytes[...]
    while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
      add(left[..<end], to: &events)
      if !isDropping { events.append(.line(text(of: rest))) }
      reset()
      left = left[(end + 1)...]
    }
    add(left, to: &events)
    return events
  }

  /// Ends the bytes: nothing more comes for the line that has begun.
  mutating func finish() -> LogEvent? {
    defer { reset() }
    return rest.isEmpty ? nil : .unfinished(text(of: rest))
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>, to events: inout [LogEvent]) {
    guard !isDropping else { return }
    guard bytes.count > limit - rest.count else { return rest.append(contentsOf: bytes) }
    var beginning = rest + bytes.prefix(limit - rest.count)
    // Not in the middle of a character: bytes that continue one begin with the bits 10.
    var next = bytes[bytes.startIndex + limit - rest.count]
    while next & 0xC0 == 0x80, beginning.count > limit - 3, let last = beginning.popLast() {
      next = last
    }
    events.append(.longLine(text(of: beginning)))
    rest = []
    isDropping = true
  }

  private func text(of bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private mutating func reset() {
    // The memory of a short line serves the next one.
    rest.removeAll(keepingCapacity: rest.count < 4_096)
    isDropping = false
  }
}
