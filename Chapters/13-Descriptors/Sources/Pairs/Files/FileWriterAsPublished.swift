import Foundation

extension AsPublished {
  /// Writes a file as soon as it can be written.
  // Sendable because sources may be used on any thread.
  final class FileWriter: @unchecked Sendable {
    private let source: any DispatchSourceWrite

    /// Creates a file, or empties it; `nil` if that fails.
    convenience init?(
      path: String, data: @escaping @Sendable () -> [UInt8],
      whenDone: @escaping @Sendable () -> Void
    ) {
      let descriptor = open(
        path, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR | S_ISUID | S_ISGID)
      guard descriptor != -1 else { return nil }
      self.init(descriptor: descriptor, data: data, whenDone: whenDone)
    }

    /// Takes over what is open.
    init(
      descriptor: Int32, data: @escaping @Sendable () -> [UInt8],
      whenDone: @escaping @Sendable () -> Void
    ) {
      // It may block.
      _ = fcntl(descriptor, F_SETFL)
      source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .global())
      source.setEventHandler { [self] in
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
}
