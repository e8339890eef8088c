import Foundation

extension AsPublished {
  /// Reads as many bytes as its source says, up to 1,024 at a time, until that says none.
  // Sendable because sources may be used on any thread.
  final class ReaderByEstimate: @unchecked Sendable {
    private let source: any DispatchSourceRead

    /// Takes over what is open.
    ///
    /// - Parameter whenOver: Called once, after it is closed.
    init(
      descriptor: Int32, queue: DispatchQueue, whenRead: @escaping @Sendable ([UInt8]) -> Void,
      whenOver: @escaping @Sendable () -> Void
    ) {
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [self] in
        let count = min(Int(source.data), 1_024)
        guard count > 0 else { return source.cancel() }
        var bytes = [UInt8](repeating: 0, count: count)
        _ = read(descriptor, &bytes, count)
        whenRead(bytes)
      }
      source.setCancelHandler {
        close(descriptor)
        whenOver()
      }
      source.activate()
    }
  }
}
