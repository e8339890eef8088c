import Foundation

extension Channelled {
  /// Copies a file, with one piece of it in memory.
  // Sendable because what changes is used on the queue alone.
  final class Copy: @unchecked Sendable {
    private let queue: DispatchQueue
    private let source: DispatchIO
    private let copy: DispatchIO
    private let progress: Progress
    private var piece = DispatchData.empty

    /// Begins to copy.
    ///
    /// - Parameters:
    ///   - queue: A serial queue.
    ///   - whenOver: Called once on the queue, after the copy is closed, with the number of bytes that are on the disk.
    /// - Throws: ``DescriptorError``; nothing is open then.
    static func begin(
      fileAt path: String, to target: String, queue: DispatchQueue,
      whenOver: @escaping @Sendable (Result<Int, DescriptorError>) -> Void
    ) throws(DescriptorError) {
      try handOver(openFile(path, O_RDONLY)) { (reading) throws(DescriptorError) in
        let writing = try openFile(target, O_WRONLY | O_CREAT | O_TRUNC)
        Copy(reading, writing, queue, whenOver).copyNext()
      }
    }

    private init(
      _ reading: Int32, _ writing: Int32, _ queue: DispatchQueue,
      _ whenOver: @escaping @Sendable (Result<Int, DescriptorError>) -> Void
    ) {
      self.queue = queue
      let progress = Progress()
      self.progress = progress
      source = DispatchIO(type: .stream, fileDescriptor: reading, queue: queue) { _ in
        close(reading)
      }
      copy = DispatchIO(type: .stream, fileDescriptor: writing, queue: queue) { _ in
        close(writing)
        whenOver(progress.result)
      }
      // Otherwise a handler may be called for every part of a piece.
      source.setLimit(lowWater: .max)
    }

    private func copyNext() {
      source.read(offset: 0, length: 65_536, queue: queue) { [self] isDone, data, code in
        if let data { piece.append(data) }
        guard isDone else { return }
        guard code == 0, !piece.isEmpty else { return finish(code, of: "read") }
        copy.write(offset: 0, data: piece, queue: queue) { [self] isDone, _, code in
          guard isDone else { return }
          guard code == 0 else { return finish(code, of: "write") }
          progress.count += piece.count
          piece = .empty
          copyNext()
        }
      }
    }

    private func finish(_ code: Int32, of call: String) {
      progress.note(code, of: call)
      source.close()
      // It comes after all writes, and the channel closes after it.
      copy.barrier { [progress] in
        progress.note(fsync(self.copy.fileDescriptor) == 0 ? 0 : errno, of: "fsync")
      }
      copy.close()
    }
  }
}

/// What has been copied.
// Sendable because it is used on one serial queue, then by the barrier, and then on the queue.
private final class Progress: @unchecked Sendable {
  var count = 0
  private var error: DescriptorError?

  var result: Result<Int, DescriptorError> { error.map { .failure($0) } ?? .success(count) }

  func note(_ code: Int32, of call: String) {
    guard code != 0, error == nil else { return }
    error = DescriptorError(call: call, code: code, advice: "the copy is not whole")
  }
}
