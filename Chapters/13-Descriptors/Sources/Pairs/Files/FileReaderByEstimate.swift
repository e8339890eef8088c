import Foundation

extension AsPublished {
  /// Takes over a descriptor, and reads as many bytes as its source says, up to 1,024 at a time, until that says none.
  ///
  /// - Parameter whenOver: Called once, after it is closed.
  static func readByEstimate(
    _ descriptor: Int32, queue: DispatchQueue, whenRead: @escaping @Sendable ([UInt8]) -> Void,
    whenOver: @escaping @Sendable () -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
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
