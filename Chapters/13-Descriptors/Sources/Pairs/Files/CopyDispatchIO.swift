import Foundation

extension Channelled {
  /// Copies a file, with one piece of it in memory.
  // Sendable because what changes is used on the queue alone.
  final class Copy: @unchecked Sendable {
    private let queue: DispatchQueue
    private let source, copy: DispatchIO
    /// How many bytes have been copied, or the first failure. The barrier's block uses it between handlers.
    private let result: Confined<Result<Int, DescriptorError>>
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
      let result = Confined(Result<Int, DescriptorError>.success(0))
      self.result = result
      source = DispatchIO(type: .stream, fileDescriptor: reading, queue: queue) { _ in
        close(reading)
      }
      copy = DispatchIO(type: .stream, fileDescriptor: writing, queue: queue) { _ in
        close(writing)
        whenOver(result.value)
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
          result.value = result.value.map { $0 + piece.count }
          piece = .empty
          copyNext()
        }
      }
    }

    private func finish(_ code: Int32, of call: String) {
      note(code, of: call)
      source.close()
      // It comes after all writes, and the channel closes after it.
      copy.barrier { [self] in note(fsync(copy.fileDescriptor) == 0 ? 0 : errno, of: "fsync") }
      copy.close()
    }

    private func note(_ code: Int32, of call: String) {
      guard code != 0, case .success = result.value else { return }
      result.value = .failure(
        DescriptorError(call: call, code: code, advice: "the copy is not whole"))
    }
  }
}
