import Foundation

extension Channelled {
  /// Copies a file, with one piece of it in memory.
  ///
  /// - Parameter whenOver: Called once on the queue, after the copy is closed, with how many bytes are on the disk.
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func copy(
    fileAt path: String, to target: String, queue: DispatchQueue,
    whenOver: @escaping @Sendable (Result<Int, DescriptorError>) -> Void
  ) throws(DescriptorError) {
    let reading = try openFile(path, O_RDONLY)
    let writing = try handOver(reading) { (_: Int32) throws(DescriptorError) in
      try openFile(target, O_WRONLY | O_CREAT | O_TRUNC)
    }
    let piece = Confined(DispatchData.empty)
    // How many bytes have been copied, or the first failure. The barrier's block uses it between two handlers.
    let result = Confined(Result<Int, DescriptorError>.success(0))
    let source = DispatchIO(type: .stream, fileDescriptor: reading, queue: queue) { _ in
      close(reading)
    }
    let copy = DispatchIO(type: .stream, fileDescriptor: writing, queue: queue) { _ in
      close(writing)
      whenOver(result.value)
    }
    // Otherwise a handler may be called for every part of a piece.
    source.setLimit(lowWater: .max)

    @Sendable func note(_ code: Int32, of call: String) {
      guard code != 0, case .success = result.value else { return }
      result.value = .failure(
        DescriptorError(call: call, code: code, advice: "the copy is not whole"))
    }
    @Sendable func finish(_ code: Int32, of call: String) {
      note(code, of: call)
      source.close()
      // It comes after all writes, and the channel closes after it.
      copy.barrier { note(fsync(copy.fileDescriptor) == 0 ? 0 : errno, of: "fsync") }
      copy.close()
    }
    @Sendable func copyNext() {
      source.read(offset: 0, length: 65_536, queue: queue) { isDone, data, code in
        if let data { piece.value.append(data) }
        guard isDone else { return }
        guard code == 0, !piece.value.isEmpty else { return finish(code, of: "read") }
        copy.write(offset: 0, data: piece.value, queue: queue) { isDone, _, code in
          guard isDone else { return }
          guard code == 0 else { return finish(code, of: "write") }
          result.value = result.value.map { $0 + piece.value.count }
          piece.value = .empty
          copyNext()
        }
      }
    }
    copyNext()
  }
}
