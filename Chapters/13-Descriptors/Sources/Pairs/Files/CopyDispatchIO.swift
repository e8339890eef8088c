import Foundation

extension Channelled {
  /// Copies a file. What has been read and is not written yet is in memory.
  ///
  /// - Parameters:
  ///   - queue: A serial queue.
  ///   - whenOver: Called once on the queue, after both files are closed, with the number of bytes that are on the disk.
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func copy(
    fileAt path: String, to target: String, queue: DispatchQueue,
    whenOver: @escaping @Sendable (Result<Int, DescriptorError>) -> Void
  ) throws(DescriptorError) {
    let (source, copy, areOpen) = try handOver(openFile(path, O_RDONLY)) {
      (reading) throws(DescriptorError) in
      let writing = try openFile(target, O_WRONLY | O_CREAT | O_TRUNC)
      let areOpen = DispatchGroup()
      return (channel(reading, queue, areOpen), channel(writing, queue, areOpen), areOpen)
    }
    let progress = Progress()
    // So many bytes at most are handed over at a time; otherwise all of the file.
    source.setLimit(highWater: 65_536)
    source.read(offset: 0, length: .max, queue: queue) { isDone, data, code in
      progress.note(code, of: "read")
      if let data, !data.isEmpty {
        progress.count += data.count
        copy.write(offset: 0, data: data, queue: queue) { _, _, code in
          progress.note(code, of: "write")
        }
      }
      guard isDone else { return }
      // It comes after all writes.
      copy.barrier {
        let code = fsync(copy.fileDescriptor) == 0 ? 0 : errno
        queue.async { progress.note(code, of: "fsync") }
      }
      copy.close()
    }
    source.close()
    areOpen.notify(queue: queue) { whenOver(progress.result) }
  }

  private static func channel(
    _ descriptor: Int32, _ queue: DispatchQueue, _ areOpen: DispatchGroup
  ) -> DispatchIO {
    areOpen.enter()
    return DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in
      close(descriptor)
      areOpen.leave()
    }
  }
}

/// What has been copied.
// Sendable because it is used on one serial queue only.
private final class Progress: @unchecked Sendable {
  var count = 0
  private var error: DescriptorError?

  var result: Result<Int, DescriptorError> { error.map { .failure($0) } ?? .success(count) }

  func note(_ code: Int32, of call: String) {
    guard code != 0, error == nil else { return }
    error = DescriptorError(call: call, code: code, advice: "the copy is not whole")
  }
}
