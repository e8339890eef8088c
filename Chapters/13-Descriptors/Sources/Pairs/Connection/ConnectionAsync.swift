import Foundation

extension Async {
  /// A pipe or a socket for two tasks: one that reads, and one that writes.
  ///
  /// Nothing is read before a task asks, and a writer goes on when its bytes are with the kernel. What a cancelled reader
  /// has not got is there for the next one. The last reference closes it.
  final class Connection: AsyncSequence, Sendable {
    /// A direction has a number and a source of its own: Dispatch on Linux confuses two sources of one number.
    private let reader, writer: OwnedDescriptor
    private let input: Readiness<OwnedDescriptor.Chunk>?
    private let output: Readiness<Int>?

    /// Takes over a descriptor.
    ///
    /// - Parameter whenClosed: Called once, after it is closed.
    /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
    init(
      taking number: Int32, for purpose: OwnedDescriptor.Purpose = .both,
      whenClosed: @escaping @Sendable () -> Void = {}
    ) throws(DescriptorError) {
      reader = try OwnedDescriptor(taking: number, for: purpose)
      writer = purpose == .both ? try reader.duplicate() : reader
      let closing = DispatchGroup()
      func watch<Value: Sendable>(_ owned: OwnedDescriptor, reads: Bool) -> Readiness<Value> {
        closing.enter()
        return Readiness(of: owned, reads: reads) { closing.leave() }
      }
      input = purpose == .writing ? nil : watch(reader, reads: true)
      output = purpose == .reading ? nil : watch(writer, reads: false)
      closing.notify(queue: readinessQueue, execute: whenClosed)
    }

    deinit { close() }

    /// Lets tasks go on that wait, and closes the descriptor when it is not used any more. A second call does nothing.
    func close() {
      input?.end()
      output?.end()
    }

    /// Reads what has come, or waits for it.
    ///
    /// - Parameter most: How many bytes at most, 1 or more.
    /// - Returns: One byte or more; none at the end, or if the connection is closed.
    /// - Throws: ``DescriptorError``; `CancellationError`, and nothing is read.
    func read(upTo most: Int = 65_536) async throws -> [UInt8] {
      let chunk = try await input?.perform { [reader] in try reader.read(upTo: most) }
      guard case .bytes(let bytes) = chunk else { return [] }
      return bytes
    }

    /// Reads so many bytes, or those that there are until the end.
    ///
    /// - Throws: As one read; what was read before is lost.
    func readAll(_ count: Int) async throws -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        let piece = try await read(upTo: count - bytes.count)
        if piece.isEmpty { break }
        bytes += piece
      }
      return bytes
    }

    /// Writes all bytes, and waits where there is no room.
    ///
    /// - Throws: ``DescriptorError``; `CancellationError`. A part may be written, so close the connection then.
    func write(_ bytes: [UInt8]) async throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try await output?.perform { [writer, rest] in try writer.write(rest) }
        guard let count else { throw DescriptorError.closed }
        rest = rest.dropFirst(count)
      }
    }

    /// Waits until a socket is connected.
    ///
    /// - Throws: ``DescriptorError``; `CancellationError`.
    func isConnected() async throws {
      _ = try await output?.perform { [writer] in
        try writer.use(Loopback.isConnected) == true ? 0 : nil
      }
    }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let connection: Connection

      func next(isolation: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
        let bytes = try await connection.read()
        return bytes.isEmpty ? nil : bytes
      }
    }

    /// Makes what one task reads with, in pieces as they come.
    func makeAsyncIterator() -> Iterator { Iterator(connection: self) }
  }
}
