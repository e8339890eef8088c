import Foundation

extension Async {
  /// A file that is read and written from its beginning on.
  ///
  /// Threads of Dispatch do it. A file is always ready, and a call that reads it blocks all the same.
  final class File: Sendable {
    private let channel: DispatchIO
    private let queue = DispatchQueue(label: "file")

    /// Opens a file to be read, or creates one to be written, or empties it.
    ///
    /// - Parameters:
    ///   - creates: Whether it is to be written.
    ///   - whenClosed: Called once, after it is closed.
    /// - Throws: ``DescriptorError``; nothing is open then.
    init(
      at path: String, creates: Bool = false, whenClosed: @escaping @Sendable () -> Void = {}
    ) throws(DescriptorError) {
      let descriptor = try openFile(path, creates ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY)
      // Not by its path, because a relative one traps on Linux.
      channel = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in
        giveBack(descriptor)
        whenClosed()
      }
    }

    deinit { close() }

    /// Closes the file when what was begun is done.
    func close() { channel.close() }

    /// Reads the next piece.
    ///
    /// - Parameter most: How many bytes at most, 1 or more; fewer at the end only, and there none.
    /// - Throws: ``DescriptorError``; `CancellationError`, and nothing is read.
    func read(upTo most: Int = 65_536) async throws -> [UInt8] {
      try await perform { [channel, queue] in
        channel.read(offset: 0, length: most, queue: queue, ioHandler: $0)
      }
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``DescriptorError``; `CancellationError`, and nothing is written.
    func write(_ bytes: [UInt8]) async throws {
      _ = try await perform { [channel, queue] in
        let data = bytes.withUnsafeBytes { DispatchData(bytes: $0) }
        channel.write(offset: 0, data: data, queue: queue, ioHandler: $0)
      }
    }

    private typealias Handler = @Sendable (Bool, DispatchData?, Int32) -> Void

    private func perform(_ begin: (@escaping Handler) -> Void) async throws -> [UInt8] {
      try Task.checkCancellation()
      let piece = Confined<[UInt8]>([])
      return try await withCheckedThrowingContinuation { continuation in
        begin { isDone, data, code in
          if let data { piece.value += data }
          guard isDone else { return }
          guard code != 0 else { return continuation.resume(returning: piece.value) }
          continuation.resume(
            throwing: DescriptorError(
              call: "read or write", code: code, advice: "what was done before stays"))
        }
      }
    }
  }
}

private func giveBack(_ descriptor: Int32) { _ = close(descriptor) }
