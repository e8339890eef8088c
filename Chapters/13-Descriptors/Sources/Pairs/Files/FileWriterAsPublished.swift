import Foundation

extension AsPublished {
  /// Creates a file, or empties it; -1 if that fails.
  static func createFile(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR | S_ISUID | S_ISGID)
  }

  /// Takes over a file that is open, and writes to it as soon as that can be done.
  static func writeFile(
    _ descriptor: Int32, data: @escaping @Sendable () -> [UInt8],
    whenDone: @escaping @Sendable () -> Void
  ) {
    // It may block.
    _ = fcntl(descriptor, F_SETFL)
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      let bytes = data()
      _ = write(descriptor, bytes, bytes.count)
      source.cancel()
    }
    source.setCancelHandler {
      close(descriptor)
      whenDone()
    }
    source.activate()
  }
}
