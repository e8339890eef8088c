import Synchronization

/// The bytes of a connection, in pieces as they come. It stays as it is.
final class Bytes: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var isAtEnd = false
    var reader: CheckedContinuation<[UInt8], any Error>?
  }

  private let state = Mutex(State())

  /// A piece comes, of one byte or more.
  func come(_ piece: [UInt8]) {
    let reader = state.withLock { state in
      let reader = state.reader.take()
      if reader == nil { state.pieces.append(piece) }
      return reader
    }
    reader?.resume(returning: piece)
  }

  /// No more pieces come.
  func end() {
    let reader = state.withLock { state in
      state.isAtEnd = true
      return state.reader.take()
    }
    reader?.resume(returning: [])
  }

  /// Takes the next piece, or waits for it. One task reads at a time.
  ///
  /// - Returns: One byte or more; none at the end.
  /// - Throws: `CancellationError` if the task is cancelled; then it has taken nothing.
  func read() async throws -> [UInt8] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reader in
        state.withLock { state in
          if Task.isCancelled {
            reader.resume(throwing: CancellationError())
          } else if !state.pieces.isEmpty {
            reader.resume(returning: state.pieces.removeFirst())
          } else if state.isAtEnd {
            reader.resume(returning: [])
          } else {
            state.reader = reader
          }
        }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(throwing: CancellationError())
    }
  }
}

/// A line has more bytes than it may have.
struct LineTooLong: Error {}

/// The lines of a connection.
///
/// The check uses `Bytes`, `LineTooLong`, `init(of:limit:)`, and `for try await`.
final class Lines: AsyncSequence, Sendable {
  private let bytes: Bytes
  private let limit: Int
  // region state
  /// The bytes of lines that no loop has got yet. The sequence keeps them, because an iterator goes with its loop.
  private let rest = Mutex<[UInt8]>([])
  // endregion

  // region init
  /// - Parameter limit: How many bytes a line may have, without its end.
  init(of bytes: Bytes, limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }
  // endregion

  func makeAsyncIterator() -> Iterator { Iterator(lines: self) }

  // region iterator
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: Lines

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        if let line = try lines.takeLine() { return line }
        let piece = try await lines.bytes.read()
        guard !piece.isEmpty else { return lines.takeRest() }
        lines.rest.withLock { $0 += piece }
      }
    }
  }
  // endregion

  // region taking
  /// The next line that has ended, if there is one.
  private func takeLine() throws -> String? {
    try rest.withLock { rest in
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      guard (end ?? rest.count) <= limit else { throw LineTooLong() }
      guard let end else { return nil }
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
