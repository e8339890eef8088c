import Foundation

extension Channelled {
  /// Copies a file. What has been read and not written yet is in memory.
  ///
  /// - Parameters:
  ///   - queue: A serial queue.
  ///   - whenOver: Called once on the queue with the number of bytes, when all are written.
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func copy(
    fileAt path: String, to target: String, queue: DispatchQueue,
    whenOver: @escaping @Sendable (Result<Int, DescriptorError>) -> Void
  ) throws(DescriptorError) {
    let reading = try openFile(path, O_RDONLY)
    let writing: Int32
    do { writing = try openFile(target, O_WRONLY | O_CREAT | O_TRUNC) } catch {
      close(reading)
      throw error
    }
    let source = DispatchIO(type: .stream, fileDescriptor: reading, queue: queue) { _ in
      close(reading)
    }
    let copy = DispatchIO(type: .stream, fileDescriptor: writing, queue: queue) { _ in
      close(writing)
    }
    // Handlers are called with so much at most; otherwise with all of the file.
    source.setLimit(highWater: 65_536)
    let progress = Progress()
    source.read(offset: 0, length: .max, queue: queue) { isDone, data, code in
      progress.note(code, of: "read")
      if let data, !data.isEmpty {
        copy.write(offset: 0, data: data, queue: queue) { _, _, code in
          progress.note(code, of: "write")
        }
        progress.count += data.count
      }
      guard isDone else { return }
      // A barrier comes after all writes, and this block after all handlers.
      copy.barrier {
        queue.async {
          whenOver(progress.error.map { .failure($0) } ?? .success(progress.count))
        }
      }
      source.close()
      copy.close()
    }
  }
}

/// What has been copied.
// Sendable because it is used on one serial queue only.
private final class Progress: @unchecked Sendable {
  var count = 0
  var error: DescriptorError?

  func note(_ code: Int32, of call: String) {
    guard code != 0, error == nil else { return }
    error = DescriptorError(call: call, code: code, advice: "the copy is not whole")
  }
}
